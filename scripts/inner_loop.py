"""The loop of a kernel's machine code that takes a tile through pivots in scratch: what its instructions are."""
import re
from collections import Counter

# What a relax is made of: sums and minima, or a comparison and a selection where there is no minimum.
RELAX = re.compile(r"IADD|VIADD|FADD|DADD|IMAD\.(IADD|X)|V?I?MNMX|FMNMX|VIADDMNMX|VMNMX|[ID]SETP|F?SEL|"
                   r"v_(pk_)?(add|min)|v_lshl_add_u64|v_cmp|v_cndmask")
WRITE = re.compile(r"STS|ds_write")


def instructions_of_nvidia(lines):
    """(address, opcode, address it may jump to) of each instruction of a function, as cuobjdump prints them."""
    for line in lines:
        found = re.match(r"\s+/\*([0-9a-f]{4,})\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)(.*)", line)
        if found:
            jump = re.search(r"0x([0-9a-f]+)", found[3]) if found[2].startswith("BRA") else None
            yield int(found[1], 16), found[2], int(jump[1], 16) if jump else None


def instructions_of_amd(lines):
    """The same of the compiler's assembly, where labels are numbered by the instruction that follows."""
    labels, code = {}, []
    for line in lines:
        label = re.match(r"(\.LBB\w+):", line)
        if label:
            labels[label[1]] = len(code)
        found = re.match(r"\s+([a-z]\w+)\s*([^;]*)", line)
        if found:
            code.append((found[1], found[2].strip()))
    for number, (opcode, operands) in enumerate(code):
        yield number, opcode, labels.get(operands) if opcode.startswith("s_") and "branch" in opcode else None


def inner_loop(instructions):
    """A counter of the opcodes of the innermost loop that relaxes most."""
    code = list(instructions)
    loops = [(jump, address) for address, _, jump in code if jump is not None and jump <= address]
    innermost = [loop for loop in loops
                 if not any(other != loop and loop[0] <= other[0] and other[1] <= loop[1] for other in loops)]
    bodies = [Counter(opcode for address, opcode, _ in code if first <= address <= last) for first, last in innermost]
    # The loop that closes a tile relaxes as much, but writes rows and columns.
    bodies = [body for body in bodies if count(body, WRITE) <= 16]
    return max(bodies, key=lambda body: count(body, RELAX), default=Counter())


def count(body, pattern):
    return sum(number for opcode, number in body.items() if pattern.match(opcode))


def relaxing_share(lines, amd):
    """The part of the loop's instructions that relax."""
    body = inner_loop(instructions_of_amd(lines) if amd else instructions_of_nvidia(lines))
    return count(body, RELAX) / max(1, sum(body.values()))


def functions(text, amd):
    """(name, lines) of each function of an assembly listing."""
    parts = re.split(r"\n(_Z\w+):", text) if amd else re.split(r"Function : (\w+)", text)
    for name, body in zip(parts[1::2], parts[2::2]):
        yield name, (body.split(".Lfunc_end")[0] if amd else body).split("\n")
