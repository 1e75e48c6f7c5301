import type { Duplex } from 'node:stream'
import type { RawData, WebSocket } from 'ws'
import type { Admission } from '../admission/Admission.ts'
import { asGatewayError } from '../request/Refused.ts'

/** Size of the header of a caller's control frame, whose payload is at most 125 bytes. */
const CONTROL_HEADER = 6

/** What limits an unfinished message. */
export interface UnfinishedOptions {
  readonly admission: Pick<Admission, 'hold'>
  /** Longest time in milliseconds from the first byte of a message to its last one. */
  readonly patienceMs: number
  /** Closes the WebSocket. Called when there is no memory left or the message takes too long. */
  readonly onRefused: (reason: string) => void
}

/**
 * Reserves memory for the part of a caller's message that has arrived, because a caller may send fragments and never the
 * last one. Also limits the time until the message is complete. `stream` is the connection of `socket`.
 */
export function limitUnfinished(socket: WebSocket, stream: Duplex, options: UnfinishedOptions): void {
  let bytes = 0
  let release = () => {}
  let timer: NodeJS.Timeout | undefined
  const set = (count: number) => {
    release()
    release = () => {}
    bytes = Math.max(count, 0)
    if (bytes === 0) {
      clearTimeout(timer)
      timer = undefined
      return
    }
    timer ??= setTimeout(() => options.onRefused('the message took too long'), options.patienceMs).unref()
    try {
      release = options.admission.hold(bytes)
    } catch (error) {
      options.onRefused(asGatewayError(error).message)
    }
  }
  const onControl = (data: Buffer) => set(bytes - data.length - CONTROL_HEADER)
  // The bytes count before they are read, which may complete the message.
  stream.prependListener('data', (part: Buffer) => set(bytes + part.length))
  socket.on('message', (_data: RawData) => set(0))
  socket.on('ping', onControl)
  socket.on('pong', onControl)
  socket.once('close', () => set(0))
}
