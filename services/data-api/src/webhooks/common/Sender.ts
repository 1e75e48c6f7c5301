import type { IncomingMessage } from 'node:http'
import { OutboundTarget, PinnedRequest } from '@firn/outbound'
import type { Clock } from '@firn/runtime'

/** Result of an attempt to send a message. */
export interface Sent {
  /** HTTP status; undefined if there was no response. */
  readonly status: number | undefined
  /** Why the attempt failed; undefined if the target accepted the message. */
  readonly failure: string | undefined
}

/** Sends a message to a URL. Rejects only if the signal aborts, with its reason. */
export type Send = (
  request: {
    readonly url: string
    readonly body: Uint8Array
    readonly headers: Readonly<Record<string, string>>
  },
  signal: AbortSignal,
) => Promise<Sent>

/** Options of {@link createSender}. */
export interface SenderOptions {
  readonly policy: OutboundTarget.TargetPolicy
  /** Time in milliseconds within which the target must answer, from the look-up of its name on. */
  readonly timeoutMs: number
  readonly clock: Clock
  /** Certificates to trust instead of those included in Node, in PEM. */
  readonly ca?: string | undefined
}

/** The rest of an answer is read for this time, and up to this size, so that the target sees no broken connection. */
const DRAIN_MS = 1_000
const DRAIN_BYTES = 16_384

/**
 * Creates a function that posts JSON to untrusted targets. Only addresses that the policy allows are connected to.
 * Redirects are refused, and the body of the answer is ignored.
 */
export function createSender({ policy, timeoutMs, clock, ca }: SenderOptions): Send {
  return async ({ url, body, headers }, signal) => {
    signal.throwIfAborted()
    const parsed = URL.parse(url)
    if (parsed === null) return failed('uri-syntax')
    const over = new AbortController()
    const abort = () => over.abort()
    signal.addEventListener('abort', abort, { once: true })
    const done = new AbortController()
    clock.sleep(timeoutMs, done.signal).then(abort, () => undefined)
    try {
      const checked = await OutboundTarget.check(parsed, policy, over.signal)
      if ('failure' in checked) return failed(checked.failure)
      const request = { url: parsed, ...checked, method: 'POST', headers, body, ca } as const
      const response = await PinnedRequest.send(request, over.signal)
      signal.throwIfAborted()
      if ('failure' in response) return failed(over.signal.aborted ? 'timeout' : response.failure)
      discard(response)
      return judge(response.statusCode ?? 0)
    } finally {
      signal.removeEventListener('abort', abort)
      done.abort()
    }
  }
}

function judge(status: number): Sent {
  if (status >= 200 && status < 300) return { status, failure: undefined }
  return { status, failure: status >= 300 && status < 400 ? 'redirect' : 'http-status' }
}

function failed(failure: string): Sent {
  return { status: undefined, failure }
}

/** Reads the rest of a response for a short time, and then closes the connection. */
function discard(response: IncomingMessage): void {
  const timer = setTimeout(() => response.destroy(), DRAIN_MS)
  timer.unref()
  let bytes = 0
  response.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length
    if (bytes > DRAIN_BYTES) response.destroy()
  })
  response.once('close', () => clearTimeout(timer))
}
