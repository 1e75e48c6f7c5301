import { channel } from 'node:diagnostics_channel'
import { Statement } from '@firn/runtime'

const statements = channel(Statement.CHANNEL)

/** Runs a statement, and publishes it with its time if anyone subscribes. `count` returns the number of its rows. */
export async function published<T>(
  text: string,
  run: () => Promise<T>,
  count: (result: T) => number,
): Promise<T> {
  if (!statements.hasSubscribers) return run()
  const begin = performance.now()
  let rows = 0
  try {
    const result = await run()
    rows = count(result)
    return result
  } finally {
    statements.publish({ text, milliseconds: performance.now() - begin, rows } satisfies Statement.Statement)
  }
}
