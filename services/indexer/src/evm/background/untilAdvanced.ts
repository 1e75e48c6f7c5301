import type { EvmStore } from '@firn/evm-store'
import { type Clock, withAnySignal } from '@firn/runtime'

/** Maximum time until new blocks are noticed if the store does not announce them, in milliseconds. */
const IDLE_MS = 1_000

/** Waits until the store announces a change, at most a second, or until the signal is aborted. */
export async function untilAdvanced(store: EvmStore, clock: Clock, signal: AbortSignal): Promise<void> {
  const ended = new AbortController()
  const end = store.onAdvance(() => ended.abort())
  try {
    await withAnySignal([signal, ended.signal], (either) => clock.sleep(IDLE_MS, either))
  } catch {
    // Either the store has advanced or the caller checks the signal.
  } finally {
    end()
  }
}
