// What the raw driver API gives in C++, for the works that `cuarray bench` measures, under the same names: peer copies,
// ordered small copies, the staging pipeline, uploads and downloads. Prints one JSON object.
//
//   nvcc -std=c++17 -O2 -o baseline baseline.cpp -lcuda -lpthread
//   ./baseline [SECONDS_EACH [BYTES]]
//
// The staging pipeline is the one of cuarray: 8 MiB pieces, four pinned slots a direction, one stream on each side,
// events between them. Two devices are used, 0 and 1; with one there are only uploads and downloads.
#include <cuda.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#define CHECK(call) check(call, #call, __LINE__)

static void check(CUresult result, const char *call, int line) {
  if (result != CUDA_SUCCESS) {
    const char *name = "?";
    cuGetErrorName(result, &name);
    fprintf(stderr, "baseline.cpp:%d: %s gave %s\n", line, call, name);
    exit(1);
  }
}

static double now() {
  using clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(clock::now().time_since_epoch()).count();
}

// ---- devices -----------------------------------------------------------------------------------------------------------

static std::vector<CUdevice> devices;
static std::vector<CUcontext> contexts;
static std::vector<CUmemoryPool> pools;

static void enter(int device) { CHECK(cuCtxSetCurrent(contexts[device])); }

static CUstream newStream(int device) {
  enter(device);
  CUstream stream;
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  return stream;
}

static CUevent newEvent(int device) {
  enter(device);
  CUevent event;
  CHECK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  return event;
}

static CUdeviceptr fromPool(int device, size_t bytes) {
  CUstream stream = newStream(device);
  CUdeviceptr pointer;
  CHECK(cuMemAllocFromPoolAsync(&pointer, bytes, pools[device], stream));
  CHECK(cuMemsetD8Async(pointer, 0x5A, bytes, stream));
  CHECK(cuStreamSynchronize(stream));
  return pointer;
}

static char *pinned(int device, size_t bytes) {
  enter(device);
  void *memory = nullptr;
  CHECK(cuMemHostAlloc(&memory, bytes, CU_MEMHOSTALLOC_PORTABLE));
  return static_cast<char *>(memory);
}

static void openDevices() {
  CHECK(cuInit(0));
  int count = 0;
  CHECK(cuDeviceGetCount(&count));
  count = std::min(count, 2);
  for (int i = 0; i < count; i++) {
    CUdevice device;
    CHECK(cuDeviceGet(&device, i));
    CUcontext context;
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    devices.push_back(device);
    contexts.push_back(context);
    CUmemPoolProps props;
    memset(&props, 0, sizeof props);
    props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    props.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    props.location.id = device;
    CUmemoryPool pool;
    CHECK(cuMemPoolCreate(&pool, &props));
    cuuint64_t everything = ~0ull;
    CHECK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &everything));
    pools.push_back(pool);
  }
}

static bool connectDevices() {
  for (int i = 0; i < 2; i++) {
    int can = 0;
    CHECK(cuDeviceCanAccessPeer(&can, devices[i], devices[1 - i]));
    if (!can) return false;
    enter(i);
    CUresult enabled = cuCtxEnablePeerAccess(contexts[1 - i], 0);
    if (enabled != CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED) CHECK(enabled);
    CUmemAccessDesc access;
    memset(&access, 0, sizeof access);
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.location.id = devices[i];
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    CHECK(cuMemPoolSetAccess(pools[1 - i], &access, 1));
  }
  return true;
}

// ---- figures -----------------------------------------------------------------------------------------------------------

static double secondsEach = 1;
static bool printedOne = false;

static double percentile(const std::vector<double> &sorted, double share) {
  double position = share * (sorted.size() - 1);
  size_t below = static_cast<size_t>(position);
  size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
}

struct Subject {
  const char *row;
  const char *work;
  std::string who;
  int from;  // -1: the host
  int to;
  size_t bytes;
};

static std::string ordinal(int device) { return device < 0 ? "null" : std::to_string(device); }

// Takes samples of seconds for one copy, and prints GB/s, or microseconds for what is small.
static void measure(const Subject &subject, const std::function<double()> &sample) {
  for (double start = now(); now() - start < secondsEach / 4;) sample();
  bool isSmall = subject.bytes <= 4096;
  std::vector<double> values;
  for (double start = now(); values.size() < 5 || now() - start < secondsEach;) {
    double seconds = sample();
    values.push_back(isSmall ? seconds * 1e6 : subject.bytes / seconds / 1e9);
  }
  std::sort(values.begin(), values.end());
  printf("%s\n    {\"row\": \"%s\", \"work\": \"%s\", \"who\": \"%s\", \"from\": %s, \"to\": %s, \"bytes\": %zu, "
         "\"unit\": \"%s\",\n     \"value\": {\"median\": %.6g, \"min\": %.6g, \"p10\": %.6g, \"p90\": %.6g, "
         "\"max\": %.6g, \"samples\": %zu}}",
         printedOne ? "," : "", subject.row, subject.work, subject.who.c_str(), ordinal(subject.from).c_str(),
         ordinal(subject.to).c_str(), subject.bytes, isSmall ? "µs" : "GB/s", percentile(values, 0.5),
         values.front(), percentile(values, 0.1), percentile(values, 0.9), values.back(), values.size());
  fflush(stdout);
  printedOne = true;
}

// ---- peer copies -------------------------------------------------------------------------------------------------------

static const int CHAIN = 256;
static const int COPIES = 4;  // back to back, one wait

static void measureLargePeerCopies(size_t bytes) {
  CUdeviceptr here = fromPool(0, bytes), there = fromPool(1, bytes);
  CUdeviceptr back = fromPool(1, bytes), landing = fromPool(0, bytes);
  CUstream out = newStream(0), in = newStream(1);
  measure({"peer", "peer copy, pool → pool", "C++", 0, 1, bytes}, [&] {
    enter(0);
    double start = now();
    for (int i = 0; i < COPIES; i++) CHECK(cuMemcpyPeerAsync(there, contexts[1], here, contexts[0], bytes, out));
    CHECK(cuStreamSynchronize(out));
    return (now() - start) / COPIES;
  });
  measure({"peer", "peer copies both ways at once, pool → pool", "C++", 0, 1, bytes}, [&] {
    enter(0);
    double start = now();
    for (int i = 0; i < COPIES; i++) {
      CHECK(cuMemcpyPeerAsync(there, contexts[1], here, contexts[0], bytes, out));
      CHECK(cuMemcpyPeerAsync(landing, contexts[0], back, contexts[1], bytes, in));
    }
    CHECK(cuStreamSynchronize(out));
    CHECK(cuStreamSynchronize(in));
    return (now() - start) / (2 * COPIES);
  });
  CHECK(cuMemFreeAsync(here, out));
  CHECK(cuMemFreeAsync(landing, out));
  CHECK(cuMemFreeAsync(there, in));
  CHECK(cuMemFreeAsync(back, in));
  CHECK(cuStreamSynchronize(out));
  CHECK(cuStreamSynchronize(in));
}

static void measureSmallPeerCopies() {
  const size_t bytes = 4096;
  CUdeviceptr here = fromPool(0, bytes), there = fromPool(1, bytes);
  CUstream out = newStream(0), in = newStream(1);
  CUevent hereDone = newEvent(0), thereDone = newEvent(1);
  auto copyThere = [&] { CHECK(cuMemcpyPeerAsync(there, contexts[1], here, contexts[0], bytes, out)); };
  auto copyBack = [&] { CHECK(cuMemcpyPeerAsync(here, contexts[0], there, contexts[1], bytes, in)); };
  auto letThereWait = [&] {
    CHECK(cuEventRecord(hereDone, out));
    CHECK(cuStreamWaitEvent(in, hereDone, 0));
  };
  auto letHereWait = [&] {
    CHECK(cuEventRecord(thereDone, in));
    CHECK(cuStreamWaitEvent(out, thereDone, 0));
  };
  enter(0);
  measure({"submit", "peer copy, submit", "C++", 0, 1, bytes}, [&] {
    double start = now();
    for (int i = 0; i < CHAIN; i++) copyThere();
    double seconds = (now() - start) / CHAIN;
    CHECK(cuStreamSynchronize(out));
    return seconds;
  });
  measure({"latency", "peer copy, submit and wait", "C++", 0, 1, bytes}, [&] {
    double start = now();
    for (int i = 0; i < 32; i++) {
      copyThere();
      CHECK(cuStreamSynchronize(out));
    }
    return (now() - start) / 32;
  });
  const char *pingPong = "ping-pong, until the last copy has arrived";
  measure({"pingpong", pingPong, "C++ record, wait, copy, record, wait", 0, 1, bytes}, [&] {
    double start = now();
    for (int i = 0; i < CHAIN / 2; i++) {
      letHereWait();
      copyThere();
      letThereWait();
      letThereWait();
      copyBack();
      letHereWait();
    }
    CHECK(cuStreamSynchronize(out));
    return (now() - start) / CHAIN;
  });
  measure({"pingpong", pingPong, "C++ copy, record, wait", 0, 1, bytes}, [&] {
    double start = now();
    for (int i = 0; i < CHAIN / 2; i++) {
      copyThere();
      letThereWait();
      copyBack();
      letHereWait();
    }
    CHECK(cuStreamSynchronize(out));
    return (now() - start) / CHAIN;
  });
}

// ---- the staging pipeline ----------------------------------------------------------------------------------------------

static const size_t PIECE = 8 << 20;
static const int SLOTS = 4;

struct Pipeline {
  int from, to;
  size_t bytes;
  CUdeviceptr source, destination;
  CUstream out, in;
  char *slots;
  CUevent arrived[SLOTS], gone[SLOTS];
  size_t pieces = 0;  // submitted so far, over all copies

  Pipeline(int from, int to, size_t bytes) : from(from), to(to), bytes(bytes) {
    source = fromPool(from, bytes);
    destination = fromPool(to, bytes);
    out = newStream(from);
    in = newStream(to);
    slots = pinned(from, PIECE * SLOTS);
    for (int i = 0; i < SLOTS; i++) {
      arrived[i] = newEvent(from);
      gone[i] = newEvent(to);
    }
  }

  void submit(size_t position) {
    int slot = pieces++ % SLOTS;
    char *memory = slots + slot * PIECE;
    size_t part = std::min(PIECE, bytes - position);
    CHECK(cuStreamWaitEvent(out, gone[slot], 0));
    CHECK(cuMemcpyDtoHAsync(memory, source + position, part, out));
    CHECK(cuEventRecord(arrived[slot], out));
    CHECK(cuStreamWaitEvent(in, arrived[slot], 0));
    CHECK(cuMemcpyHtoDAsync(destination + position, memory, part, in));
    CHECK(cuEventRecord(gone[slot], in));
  }

  void await() { CHECK(cuStreamSynchronize(in)); }

  void close() {
    CHECK(cuMemFreeAsync(source, out));
    CHECK(cuMemFreeAsync(destination, in));
    CHECK(cuStreamSynchronize(out));
    CHECK(cuStreamSynchronize(in));
    CHECK(cuMemFreeHost(slots));
  }
};

static void measureStagedCopies(size_t bytes) {
  Pipeline there(0, 1, bytes), back(1, 0, bytes);
  enter(0);
  measure({"staged", "host-staged copy, one way", "the same pipeline in C++", 0, 1, bytes}, [&] {
    double start = now();
    for (size_t position = 0; position < bytes; position += PIECE) there.submit(position);
    there.await();
    return now() - start;
  });
  // Piece by piece in turn, so that both begin at once.
  measure({"staged", "host-staged copies both ways at once", "the same pipeline in C++", 0, 1, bytes}, [&] {
    double start = now();
    for (int i = 0; i < COPIES; i++) {
      for (size_t position = 0; position < bytes; position += PIECE) {
        there.submit(position);
        back.submit(position);
      }
    }
    there.await();
    back.await();
    return (now() - start) / (2 * COPIES);
  });
  there.close();
  back.close();
}

// ---- uploads and downloads ---------------------------------------------------------------------------------------------

// Each thread copies every so-manieth piece through two pinned slots of its own.
struct Ring {
  static const int EACH = 2;
  CUdeviceptr device;
  char *host;
  size_t bytes;
  int threads;
  char *slots;
  std::vector<CUstream> streams;
  std::vector<CUevent> events;

  Ring(CUdeviceptr device, char *host, size_t bytes, int threads)
      : device(device), host(host), bytes(bytes), threads(threads) {
    slots = pinned(0, PIECE * EACH * threads);
    for (int i = 0; i < threads; i++) streams.push_back(newStream(0));
    for (int i = 0; i < threads * EACH; i++) events.push_back(newEvent(0));
  }

  ~Ring() { cuMemFreeHost(slots); }

  template <class Work>
  double run(Work work) {
    double start = now();
    std::vector<std::thread> crew;
    for (int t = 0; t < threads; t++) {
      crew.emplace_back([&, t] {
        enter(0);
        work(t);
        CHECK(cuStreamSynchronize(streams[t]));
      });
    }
    for (auto &thread : crew) thread.join();
    return now() - start;
  }

  size_t part(size_t position) const { return std::min(PIECE, bytes - position); }

  double upload() {
    return run([&](int t) {
      int turn = 0;
      for (size_t position = t * PIECE; position < bytes; position += threads * PIECE, turn++) {
        int slot = t * EACH + turn % EACH;
        CHECK(cuEventSynchronize(events[slot]));
        memcpy(slots + slot * PIECE, host + position, part(position));
        CHECK(cuMemcpyHtoDAsync(device + position, slots + slot * PIECE, part(position), streams[t]));
        CHECK(cuEventRecord(events[slot], streams[t]));
      }
    });
  }

  double download() {
    return run([&](int t) {
      const size_t none = ~size_t(0);
      size_t before = none;
      int beforeSlot = 0, turn = 0;
      auto take = [&] {
        if (before == none) return;
        CHECK(cuEventSynchronize(events[beforeSlot]));
        memcpy(host + before, slots + beforeSlot * PIECE, part(before));
      };
      for (size_t position = t * PIECE; position < bytes; position += threads * PIECE, turn++) {
        int slot = t * EACH + turn % EACH;
        CHECK(cuMemcpyDtoHAsync(slots + slot * PIECE, device + position, part(position), streams[t]));
        CHECK(cuEventRecord(events[slot], streams[t]));
        take();
        before = position;
        beforeSlot = slot;
      }
      take();
    });
  }
};

static void measureHostCopies(size_t bytes) {
  CUdeviceptr device = fromPool(0, bytes);
  char *host = static_cast<char *>(malloc(bytes));
  memset(host, 1, bytes);
  const char *upload = "upload of a float[]", *download = "download into a float[]";
  enter(0);
  measure({"host", upload, "C++, pageable", -1, 0, bytes}, [&] {
    double start = now();
    CHECK(cuMemcpyHtoD(device, host, bytes));
    CHECK(cuStreamSynchronize(0));
    return now() - start;
  });
  measure({"host", download, "C++, pageable", 0, -1, bytes}, [&] {
    double start = now();
    CHECK(cuMemcpyDtoH(host, device, bytes));
    return now() - start;
  });
  for (int threads : {1, 4, 8}) {
    Ring ring(device, host, bytes, threads);
    std::string who = "C++, pinned ring, " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
    measure({"host", upload, who, -1, 0, bytes}, [&] { return ring.upload(); });
    measure({"host", download, who, 0, -1, bytes}, [&] { return ring.download(); });
  }
  free(host);
}

int main(int argc, char **argv) {
  if (argc > 1) secondsEach = atof(argv[1]);
  size_t bytes = argc > 2 ? strtoull(argv[2], nullptr, 10) : size_t(1) << 30;
  openDevices();
  int version = 0;
  CHECK(cuDriverGetVersion(&version));
  printf("{\n  \"program\": \"baseline.cpp\", \"cuda\": \"%d.%d\",\n  \"measurements\": [", version / 1000,
         version % 1000 / 10);
  if (devices.size() == 2) {
    if (connectDevices()) {
      measureSmallPeerCopies();
      measureLargePeerCopies(bytes);
    }
    measureStagedCopies(bytes);
  }
  measureHostCopies(bytes);
  printf("\n  ]\n}\n");
  return 0;
}
