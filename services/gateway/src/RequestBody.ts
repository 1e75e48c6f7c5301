import type { IncomingMessage } from 'node:http'
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
export function readBody(request: IncomingMessage, admission: Admission, most: number): Promise<RequestBody> {
  const parts: Buffer[] = []
  const releases: (() => void)[] = []
  const release = () => {
    for (const one of releases.splice(0)) one()
  }
  let length = 0
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      request.pause().removeListener('data', onData)
      parts.length = 0
      release()
      reject(error)
    }
    const onData = (part: Buffer) => {
      length += part.length
      try {
        if (length > most) throw tooLarge(most)
        releases.push(admission.hold(part.length))
        parts.push(part)
      } catch (error) {
        fail(error)
      }
    }
    if (Number(request.headers['content-length'] ?? 0) > most) return fail(tooLarge(most))
    request.on('data', onData)
    request.once('end', () => resolve({ bytes: Buffer.concat(parts, length), release }))
    request.once('error', (cause) => fail(gone(cause)))
    request.once('close', () => {
      if (!request.complete) fail(gone())
    })
  })
}

function gone(cause?: unknown): GatewayError {
  return new GatewayError(
    'GATEWAY_GONE',
    'the caller closed the connection before the request was complete',
    { cause },
  )
}

function tooLarge(most: number): GatewayError {
  return new GatewayError('GATEWAY_TOO_LARGE', `request body is larger than ${most} bytes`)
}
