import type { IncomingMessage } from 'node:http'
import { readBytes } from '@firn/rpc'
import type { Admission } from './Admission.ts'
import { GatewayError } from './GatewayError.ts'

/** A received body, and a function that releases the memory reserved for it. */
export interface RequestBody {
  readonly bytes: Uint8Array
  readonly release: () => void
}

/**
 * Reads the body of a request. Memory is reserved when bytes arrive, and not for an announced length. The
 * server enforces the time limit.
 * @throws GatewayError `GATEWAY_TOO_LARGE`, `GATEWAY_BUSY`, `GATEWAY_GONE`
 */
export async function readBody(
  request: IncomingMessage,
  admission: Admission,
  most: number,
): Promise<RequestBody> {
  const releases: (() => void)[] = []
  const release = () => {
    for (const one of releases.splice(0)) one()
  }
  const assertLength = (length: number) => {
    if (length > most)
      throw new GatewayError('GATEWAY_TOO_LARGE', `request body is larger than ${most} bytes`)
  }
  try {
    assertLength(Number(request.headers['content-length'] ?? 0))
    // A refused request stays open, because the caller gets an answer.
    const bytes = await readBytes(request.iterator({ destroyOnReturn: false }), (part, length) => {
      assertLength(length)
      releases.push(admission.hold(part.length))
    })
    return { bytes, release }
  } catch (error) {
    release()
    throw error instanceof GatewayError ? error : gone(error)
  }
}

function gone(cause: unknown): GatewayError {
  return new GatewayError(
    'GATEWAY_GONE',
    'the caller closed the connection before the request was complete',
    { cause },
  )
}
