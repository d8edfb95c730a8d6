package org.cuarray.driver.simulated;

import java.util.Arrays;

/** Each thread's stack of current contexts, as handles. */
final class CurrentContexts {
  /** Holds no reference to its machine: a thread must not keep a thousand dead ones alive. */
  private static final class Stack {
    private long[] handles = new long[2];
    private int depth;
  }

  private final ThreadLocal<Stack> stacks = ThreadLocal.withInitial(Stack::new);

  /** The handle on top; 0 where the calling thread has none. */
  long top() {
    Stack stack = stacks.get();
    return stack.depth == 0 ? 0 : stack.handles[stack.depth - 1];
  }

  void push(long handle) {
    Stack stack = stacks.get();
    if (stack.depth == stack.handles.length) {
      stack.handles = Arrays.copyOf(stack.handles, 2 * stack.depth);
    }
    stack.handles[stack.depth++] = handle;
  }

  /** Removes the top; there must be one. */
  void pop() {
    stacks.get().depth--;
  }

  /** {@code cuCtxSetCurrent}: replaces the top, or pops it for handle 0. */
  void set(long handle) {
    Stack stack = stacks.get();
    if (stack.depth > 0) {
      stack.depth--;
    }
    if (handle != 0) {
      push(handle);
    }
  }
}
