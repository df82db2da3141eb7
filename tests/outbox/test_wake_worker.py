"""Waking a worker in a process that was forked while its parent woke one."""

import os
import threading
import time

from games.outbox import wake_worker


def test_a_process_forked_during_a_wake_up_can_wake_workers() -> None:
    held = threading.Event()

    def hold() -> None:
        with wake_worker._lock:
            held.set()
            time.sleep(0.2)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(10)
    pid = os.fork()
    if not pid:
        os._exit(0 if wake_worker._lock.acquire(timeout=5) else 1)
    thread.join()
    assert os.waitpid(pid, 0)[1] == 0
    assert not wake_worker._lock.locked()
