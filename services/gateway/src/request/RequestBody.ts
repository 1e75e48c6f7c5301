import type { IncomingMessage } from 'node:http'
import { RateLimiter } from '@firn/http'
import { readBytes } from '@firn/rpc'
import type { Admission, Caller } from '../admission/Admission.ts'
import { GatewayError } from '../GatewayError.ts'
import type { Limits } from '../Limits.ts'

/** A received body, and a function that releases the memory reserved for it. */
export interface RequestBody {
  readonly bytes: Uint8Array
  readonly release: () => void
}

/**
 * Reads the body of a request, and charges its size before anything parses it: an announced length before the body is
 * read. Memory is reserved when bytes arrive, and not for an announced length. The server enforces the time limit.
 * @throws GatewayError `GATEWAY_TOO_LARGE`, `GATEWAY_RATE`, `GATEWAY_BUSY`, `GATEWAY_GONE`
 */
export async function readBody(
  request: IncomingMessage,
  caller: Caller,
  admission: Admission,
  limits: Limits,
): Promise<RequestBody> {
  const releases: (() => void)[] = []
  const release = () => {
    for (const one of releases.splice(0)) one()
  }
  const assertLength = (length: number) => {
    if (length > limits.bodyBytes)
      throw new GatewayError('GATEWAY_TOO_LARGE', `request body is larger than ${limits.bodyBytes} bytes`)
  }
  try {
    const announced = Number(request.headers['content-length'] ?? 0)
    assertLength(announced)
    const paid = bodyCredits(announced, limits)
    admission.spend(caller, paid)
    // A refused request stays open, because the caller gets an answer.
    const bytes = await readBytes(request.iterator({ destroyOnReturn: false }), (part, length) => {
      assertLength(length)
      releases.push(admission.hold(part.length))
    })
    admission.spend(caller, bodyCredits(bytes.length, limits) - paid)
    return { bytes, release }
  } catch (error) {
    release()
    throw error instanceof GatewayError ? error : gone(error)
  }
}

/** Returns the credits of a body, in addition to the credit that every request costs. */
export function bodyCredits(bytes: number, { bytesPerCredit }: Limits): number {
  return Math.max(0, RateLimiter.bodyUnits(bytes, bytesPerCredit) - 1)
}

function gone(cause: unknown): GatewayError {
  return new GatewayError(
    'GATEWAY_GONE',
    'the caller closed the connection before the request was complete',
    { cause },
  )
}
