# SPDX-License-Identifier: MIT
"""Finds the inner loop of a kernel's machine code, which relaxes a tile with pivots in scratch, and counts instructions."""
import re
import subprocess
from collections import namedtuple

# The instructions of a relax: sums and minima, or a comparison and a selection where there is no minimum.
RELAX = re.compile(r"IADD|VIADD|FADD|DADD|IMAD\.(IADD|X)|V?I?MNMX|FMNMX|VIADDMNMX|VMNMX|[ID]SETP|F?SEL|"
                   r"v_(pk_)?(add|min)|v_lshl_add_u64|v_cmp|v_cndmask")
WRITE = re.compile(r"STS|ds_write")
STORE = re.compile(r"ST(G|\.E)|(global|flat)_store")
SPILL = re.compile(r"LDL|STL|scratch_|buffer_|v_accvgpr")

# Bytes that a thread reads of scratch at once.
READS = {"ds_read_b128": 16, "ds_read2_b64": 16, "ds_read_b64": 8, "ds_read2_b32": 8, "ds_read_b32": 4,
         "LDS.128": 16, "LDS.64": 8, "LDS": 4}

# `at` numbers the instructions of a function, `jump` is where this one may go on.
Instruction = namedtuple("Instruction", "at opcode text jump")


def functions(listing, amd):
    """(name, instructions) of each function of an assembly listing."""
    parts = re.split(r"\n(_Z\w+):", listing) if amd else re.split(r"Function : (\w+)", listing)
    for name, body in zip(parts[1::2], parts[2::2]):
        yield name, list(of_amd(body.split(".Lfunc_end")[0].split("\n")) if amd else of_nvidia(body.split("\n")))


def of_nvidia(lines):
    """As cuobjdump prints them, numbered by their addresses."""
    for line in lines:
        found = re.match(r"\s+/\*([0-9a-f]{4,})\*/\s+((?:@!?U?P\w+\s+)?([A-Z][\w.]*).*)", line)
        if found:
            jump = re.search(r"0x([0-9a-f]+)", found[2]) if found[3].startswith("BRA") else None
            yield Instruction(int(found[1], 16), found[3], found[2], int(jump[1], 16) if jump else None)


def of_amd(lines):
    """As the compiler writes them, where a label stands for the instruction that follows."""
    labels, code = {}, []
    for line in lines:
        label = re.match(r"(\.LBB\w+):", line)
        if label:
            labels[label[1]] = len(code)
        found = re.match(r"\s+([a-z]\w+)\s*([^;]*)", line)
        if found:
            code.append((found[1], found[2].strip()))
    for at, (opcode, operands) in enumerate(code):
        jumps = opcode.startswith("s_") and "branch" in opcode
        yield Instruction(at, opcode, f"{opcode} {operands}", labels.get(operands) if jumps else None)


def inner_loop(code):
    """Of the innermost loops that relax most, the one with the fewest other instructions."""
    loops = [(i.jump, i.at) for i in code if i.jump is not None and i.jump <= i.at]
    innermost = [loop for loop in loops
                 if not any(other != loop and loop[0] <= other[0] and other[1] <= loop[1] for other in loops)]
    bodies = [[i for i in code if first <= i.at <= last] for first, last in innermost]
    # The loops that close a tile, or take it through a pivot, relax as much, but write rows and columns.
    bodies = [body for body in bodies if count(body, WRITE) <= 16 and count(body, STORE) == 0]
    most = max((count(body, RELAX) for body in bodies), default=0)
    return max((body for body in bodies if 2 * count(body, RELAX) > most), key=lambda body: count(body, RELAX) / len(body), default=[])


def count(body, pattern):
    return sum(bool(pattern.match(i.opcode)) for i in body)


def pivots(body, bytes_a_pivot):
    """How many pivots a thread takes its tile through, by the operands that it reads."""
    read = sum(READS.get(re.sub(r"\.U\b|\.[US]16", "", i.opcode), 0) for i in body)
    return read / bytes_a_pivot


def predicted_cycles(body, target):
    """Issue cycles of one wavefront for an iteration of the loop on AMD, by llvm-mca."""
    text = "\n".join(i.text for i in body if "branch" not in i.opcode)
    iterations = 50
    report = subprocess.run(["llvm-mca-21", "-mtriple=amdgcn", f"-mcpu={target}", f"-iterations={iterations}",
                             "--instruction-info=false", "--resource-pressure=false"],
                            input=text, stdout=subprocess.PIPE, text=True, check=True).stdout
    return int(re.search(r"Total Cycles:\s+(\d+)", report)[1]) / iterations
