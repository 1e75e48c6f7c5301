import { backoff, type Clock } from '@firn/runtime'
import { CliError } from './CliError.ts'

/** Options of {@link download}. */
export interface Options {
  readonly clock: Clock
  readonly random: () => number
  readonly signal: AbortSignal
  /** Called before a connection that broke is made again. */
  readonly onRetry?: (reason: string) => void
  readonly fetch?: typeof globalThis.fetch
}

/** Number of failures in a row, without any byte between them, after which the download fails. */
const MAX_FAILURES = 8
/** Time in milliseconds without a byte after which a connection counts as broken. */
const SILENCE_MS = 30_000

/** A failure that would happen again, such as a file that is not there. */
class Refusal extends Error {}

/**
 * Reads the file at a URL. A connection that breaks is made again for the rest of the file, if it has not changed
 * meanwhile.
 * @throws CliError `CLI_INPUT` if the server refuses, cannot be reached, or the file changes; the signal's reason
 */
export async function* download(url: string, options: Options): AsyncGenerator<Uint8Array> {
  const { clock, random, signal, onRetry, fetch = globalThis.fetch } = options
  let position = 0
  let version: string | undefined
  for (let failures = 0; ; ) {
    const silence = new AbortController()
    let timer = setTimeout(() => silence.abort(new Error('no answer for 30 s')), SILENCE_MS)
    try {
      const range: Record<string, string> = position > 0 ? { range: `bytes=${position}-` } : {}
      const response = await fetch(url, {
        headers: { ...range, 'accept-encoding': 'identity' },
        signal: AbortSignal.any([signal, silence.signal]),
      })
      assertSame(response, position, version)
      version ??= versionOf(response)
      for await (const chunk of response.body ?? []) {
        position += chunk.length
        failures = 0
        // A slow reader is not a silent server.
        clearTimeout(timer)
        yield chunk
        timer = setTimeout(() => silence.abort(new Error('no bytes for 30 s')), SILENCE_MS)
      }
      return
    } catch (cause) {
      signal.throwIfAborted()
      failures += 1
      const reason = reasonOf(cause)
      if (cause instanceof Refusal || failures > MAX_FAILURES)
        throw new CliError('CLI_INPUT', `cannot read ${url}: ${reason}`, { cause })
      onRetry?.(reason)
      await clock.sleep(backoff(failures, { random }), signal)
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Throws if the response is not the file from `position` on, in the version that was read before. */
const assertSame = (response: Response, position: number, version: string | undefined): void => {
  const { status, statusText } = response
  if (status >= 500 || status === 429) throw new Error(`HTTP ${status} ${statusText}`)
  if (position === 0 ? status !== 200 : status !== 206) throw new Refusal(`HTTP ${status} ${statusText}`)
  if (version !== undefined && version !== versionOf(response))
    throw new Refusal('the file has changed during the download; start again')
}

/** Returns what tells versions of a file apart. */
const versionOf = ({ headers }: Response): string => headers.get('etag') ?? headers.get('last-modified') ?? ''

const reasonOf = (error: unknown): string => {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}
