"""PyTorch and CuPy, for the works that `cuarray bench` measures, under the same names. Prints one JSON object.

    python3 peers.py [SECONDS_EACH [BYTES]]

What can't be imported is left out, and said so under "missing".
"""

import json
import statistics
import sys
import time

SECONDS_EACH = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
BYTES = int(sys.argv[2]) if len(sys.argv) > 2 else 1 << 30
SMALL = 4096
CHAIN = 256
COPIES = 4  # back to back, one wait

measurements = []
missing = []


def percentile(ordered, share):
    position = share * (len(ordered) - 1)
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (position - below) * (ordered[above] - ordered[below])


def measure(row, work, who, source, destination, size, sample):
    """Takes samples of seconds for one copy; GB/s, or microseconds for what is small."""
    start = time.perf_counter()
    while time.perf_counter() - start < SECONDS_EACH / 4:
        sample()
    values = []
    start = time.perf_counter()
    while len(values) < 5 or time.perf_counter() - start < SECONDS_EACH:
        seconds = sample()
        values.append(seconds * 1e6 if size <= SMALL else size / seconds / 1e9)
    values.sort()
    measurements.append(
        {
            "row": row,
            "work": work,
            "who": who,
            "from": source,
            "to": destination,
            "bytes": size,
            "unit": "µs" if size <= SMALL else "GB/s",
            "value": {
                "median": statistics.median(values),
                "min": values[0],
                "p10": percentile(values, 0.1),
                "p90": percentile(values, 0.9),
                "max": values[-1],
                "samples": len(values),
            },
        }
    )


def measure_pairs(who, library):
    """Copies between devices 0 and 1."""
    synchronize, copy, copy_anywhere = library.synchronize, library.copy, library.copy_anywhere

    def back_to_back(pairs, times, copy):
        def sample():
            synchronize()
            start = time.perf_counter()
            for _ in range(times):
                for destination, source in pairs:
                    copy(destination, source)
            synchronize()
            return (time.perf_counter() - start) / (times * len(pairs))

        return sample

    here, there = library.arrays(SMALL)

    def submit():
        start = time.perf_counter()
        for _ in range(CHAIN):
            copy(there, here)
        seconds = (time.perf_counter() - start) / CHAIN
        synchronize()
        return seconds

    def latency():
        start = time.perf_counter()
        for _ in range(32):
            copy(there, here)
            library.wait(1)
        return (time.perf_counter() - start) / 32

    def ping_pong():
        start = time.perf_counter()
        for _ in range(CHAIN // 2):
            copy_anywhere(there, here)
            copy_anywhere(here, there)
        synchronize()
        return (time.perf_counter() - start) / CHAIN

    with library.on(1):
        measure("submit", "peer copy, submit", who, 0, 1, SMALL, submit)
        measure("latency", "peer copy, submit and wait", who, 0, 1, SMALL, latency)
    measure("pingpong", "ping-pong, until the last copy has arrived", who, 0, 1, SMALL, ping_pong)
    here, there = library.arrays(BYTES)
    with library.on(1):
        one_way = back_to_back([(there, here)], COPIES, copy)
        measure("peer", "peer copy, pool → pool", who, 0, 1, BYTES, one_way)
    landing, back = library.arrays(BYTES)
    both = back_to_back([(there, here), (landing, back)], COPIES, copy_anywhere)
    measure("peer", "peer copies both ways at once, pool → pool", who, 0, 1, BYTES, both)


def timed(action, synchronize):
    def sample():
        synchronize()
        start = time.perf_counter()
        action()
        synchronize()
        return time.perf_counter() - start

    return sample


class Torch:
    def __init__(self, torch):
        self.torch = torch
        self.devices = min(2, torch.cuda.device_count())
        self.wait = torch.cuda.synchronize

    def synchronize(self):
        for device in range(self.devices):
            self.wait(device)

    def on(self, device):
        return self.torch.cuda.device(device)

    def arrays(self, size):
        return [self.torch.full((size // 4,), 1.5, device="cuda:%d" % device) for device in range(2)]

    def copy(self, destination, source):
        destination.copy_(source)

    copy_anywhere = copy


def measure_torch(torch):
    who = "PyTorch " + torch.__version__
    library = Torch(torch)
    synchronize = library.synchronize
    if library.devices == 2:
        measure_pairs(who, library)
        torch.cuda.empty_cache()
    device = torch.zeros(BYTES // 4, device="cuda:0")
    host = torch.full((BYTES // 4,), 1.5)  # every page is written
    upload = timed(lambda: device.copy_(host), synchronize)
    download = timed(lambda: host.copy_(device), synchronize)
    measure("host", "upload of a float[]", who, None, 0, BYTES, upload)
    measure("host", "download into a float[]", who, 0, None, BYTES, download)
    pinned = host.pin_memory()
    upload = timed(lambda: device.copy_(pinned, non_blocking=True), synchronize)
    download = timed(lambda: pinned.copy_(device, non_blocking=True), synchronize)
    measure("host", "upload of a HostArray", who + ", pinned", None, 0, BYTES, upload)
    measure("host", "download into a HostArray", who + ", pinned", 0, None, BYTES, download)
    del device, host, pinned
    torch.cuda.empty_cache()


class Cupy:
    def __init__(self, cupy):
        self.cupy = cupy
        self.devices = min(2, cupy.cuda.runtime.getDeviceCount())
        self.on = cupy.cuda.Device

    def wait(self, device):
        self.cupy.cuda.Device(device).synchronize()

    def synchronize(self):
        for device in range(self.devices):
            self.wait(device)

    def arrays(self, size):
        made = []
        for device in range(2):
            with self.on(device):
                made.append(self.cupy.full(size // 4, 1.5, dtype=self.cupy.float32))
        return made

    def copy(self, destination, source):
        destination[...] = source

    def copy_anywhere(self, destination, source):
        # The destination's device has to be the current one.
        with destination.device:
            destination[...] = source


def measure_cupy(cupy):
    import numpy

    who = "CuPy " + cupy.__version__
    library = Cupy(cupy)
    if library.devices == 2:
        measure_pairs(who, library)
    with library.on(0):
        device = cupy.zeros(BYTES // 4, dtype=cupy.float32)
        host = numpy.full(BYTES // 4, 1.5, dtype=numpy.float32)  # every page is written
        upload = timed(lambda: device.set(host), library.synchronize)
        download = timed(lambda: device.get(out=host), library.synchronize)
        measure("host", "upload of a float[]", who, None, 0, BYTES, upload)
        measure("host", "download into a float[]", who, 0, None, BYTES, download)


def main():
    for name, measure_it in (("torch", measure_torch), ("cupy", measure_cupy)):
        try:
            measure_it(__import__(name))
        except Exception as failure:  # a baseline that fails must not take the others along
            missing.append("%s: %s: %s" % (name, type(failure).__name__, failure))
    json.dump({"program": "peers.py", "missing": missing, "measurements": measurements}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
