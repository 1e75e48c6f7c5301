import { Hex } from '@firn/codec'

/** Time that the aggregator may take for a message. */
const DEADLINE_MS = 20_000

/** Time that the validators may take to accept the message, which was just sent. */
const WAIT_MS = 10_000

/** An unsuccessful response of the aggregator. */
export class NotSigned extends Error {
  /** Whether the request itself is wrong, so that a retry cannot succeed. */
  readonly isFinal: boolean
  /** Time after which the aggregator can take the request, if it says so. */
  readonly retryAfterMs: number | undefined

  constructor(reason: string, { status, headers }: Response) {
    super(`not signed: ${reason}`)
    this.isFinal = status === 400 || status === 413
    const seconds = Number(headers.get('retry-after') ?? Number.NaN)
    this.retryAfterMs = Number.isNaN(seconds) ? undefined : seconds * 1_000
  }
}

/**
 * Has an unsigned message signed for the current epoch of the destination chain. Message and blockchain id are hex.
 * Returns the signed message.
 * @throws NotSigned
 */
export async function sign(
  url: string,
  message: string,
  destinationChain: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const response = await fetch(`${url}/aggregateSignatures`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message, destinationChain, deadlineMs: DEADLINE_MS, waitMs: WAIT_MS }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(2 * DEADLINE_MS)]),
  })
  const body = (await response.json()) as { signedMessage?: string; message?: string }
  if (body.signedMessage === undefined)
    throw new NotSigned(body.message ?? `HTTP ${response.status}`, response)
  return Hex.decodeAny(body.signedMessage)
}
