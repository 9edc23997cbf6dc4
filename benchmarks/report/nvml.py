# SPDX-License-Identifier: MIT
"""The little of NVIDIA's management library that is needed here, where there is one."""
import contextlib
import ctypes


class Unavailable(Exception):
    pass


@contextlib.contextmanager
def library():
    try:
        nvml = ctypes.CDLL("libnvidia-ml.so.1")
        check(nvml.nvmlInit_v2())
    except (OSError, AttributeError):
        raise Unavailable("no NVML")
    try:
        yield nvml
    finally:
        nvml.nvmlShutdown()


def check(status):
    if status != 0:
        raise Unavailable(f"NVML says {status}")


def handle(nvml, index):
    device = ctypes.c_void_p()
    check(nvml.nvmlDeviceGetHandleByIndex_v2(ctypes.c_uint(index), ctypes.byref(device)))
    return device


def power(nvml, device):
    """The present power, in watts."""
    milliwatts = ctypes.c_uint()
    check(nvml.nvmlDeviceGetPowerUsage(device, ctypes.byref(milliwatts)))
    return milliwatts.value * 1e-3


def energy(nvml, device):
    """Joules since the driver was loaded; few cards lack this counter."""
    millijoules = ctypes.c_ulonglong()
    check(nvml.nvmlDeviceGetTotalEnergyConsumption(device, ctypes.byref(millijoules)))
    return millijoules.value * 1e-3


def bus_widths():
    """Bits of each GPU's memory bus."""
    try:
        with library() as nvml:
            devices, bits, widths = ctypes.c_uint(), ctypes.c_uint(), []
            check(nvml.nvmlDeviceGetCount_v2(ctypes.byref(devices)))
            for index in range(devices.value):
                check(nvml.nvmlDeviceGetMemoryBusWidth(handle(nvml, index), ctypes.byref(bits)))
                widths.append(bits.value)
            return widths
    except (Unavailable, AttributeError):
        return []
