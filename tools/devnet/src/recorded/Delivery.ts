import { Frame, Message, type Peer, type Timers } from '@firn/p2p'
import type * as Fault from '../Fault.ts'

/** A request that is answered. `message` returns the answer to a request id. */
interface Delivery {
  readonly peer: Peer
  readonly requestId: number
  readonly message: (requestId: number) => Message.BodyInit
  readonly timers: Timers.Timers
}

/** Sends what a fault adds to an answer. Returns whether to send the answer itself. */
export async function deliver(
  current: Fault.Fault | null,
  { peer, requestId, message, timers }: Delivery,
): Promise<boolean> {
  switch (current?.kind) {
    case 'silent':
      return false
    case 'disconnect':
      peer.destroy()
      return false
    case 'cut': {
      const frame = Frame.encode(Message.encode(message(requestId)))
      peer.sendRaw(frame.subarray(0, Math.ceil(frame.length / 2)))
      peer.close()
      return false
    }
    case 'slow': {
      const { ms } = current
      await new Promise<void>((resolve) => timers.setTimer(resolve, ms))
      return true
    }
    case 'garbage':
      peer.sendFrame(Uint8Array.of(0xff, 0x01, 0x02, 0x03, 0x04))
      return true
    case 'unasked':
      // Peers choose even or odd ids that increase, so these two are not in flight.
      for (const id of [(requestId ^ 1) >>> 0, (requestId + 1_000_000) >>> 0]) peer.send(message(id))
      return true
    case 'repeat':
      for (let times = 1; times < current.times; times += 1) peer.send(message(requestId))
      return true
    default:
      return true
  }
}
