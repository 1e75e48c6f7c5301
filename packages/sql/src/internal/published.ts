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
  const publish = (rows: number, failure?: string) =>
    statements.publish({
      text,
      milliseconds: performance.now() - begin,
      rows,
      failure,
    } satisfies Statement.Statement)
  try {
    const result = await run()
    publish(count(result))
    return result
  } catch (error) {
    publish(0, codeOf(error))
    throw error
  }
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return typeof code === 'string' ? code : 'unknown'
}
