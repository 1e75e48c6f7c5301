import { setImmediate } from 'node:timers/promises'

/**
 * Starts all parts of a database transaction and waits for them, so that each part computes its rows while the database
 * runs the statements of other parts. With `yields`, the event loop runs before each further part is started, so that
 * the statements so far are sent to the database.
 * @throws the first error in time, because the statements after a failed one fail too
 */
export async function inParallel(parts: readonly (() => Promise<void>)[], yields: boolean): Promise<void> {
  const errors: unknown[] = []
  const running: Promise<unknown>[] = []
  for (const part of parts) {
    if (yields && running.length > 0) await setImmediate()
    running.push(part().catch((error: unknown) => errors.push(error)))
  }
  await Promise.all(running)
  if (errors.length > 0) throw errors[0]
}
