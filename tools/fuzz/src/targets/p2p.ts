import { Bytes, isFirnError } from '@firn/codec'
import { BloomFilter, ClaimedIpPort, Frame, HandlerPrefix, Message, PushGossip } from '@firn/p2p'
import * as Corpus from '../Corpus.ts'
import { ofBytes, type Target } from '../Target.ts'

const P2P = 'p2p/vectors/p2p'
const KEY = new Uint8Array(32).fill(5)

const frames = () => {
  const bodies = Corpus.bytes(P2P, 'bytes', /^message$/).map(Frame.encode)
  return bodies.map((body, index) => Bytes.concat(body, bodies[(index + 1) % bodies.length] ?? body))
}

const gossip = (): readonly Uint8Array[] =>
  Corpus.bytes(P2P, 'bytes', /^message$/)
    .map(Message.decode)
    .flatMap((body) => (body.case === 'appGossip' ? [body.value.appBytes] : []))

/**
 * Splits a stream into frames, fed in chunks of `size` bytes. Returns the lengths of the message bodies and
 * the final error code, if any, as text.
 */
const split = (input: Uint8Array, size: number): string => {
  const lengths: number[] = []
  const splitter = Frame.createSplitter({ onBody: (body) => lengths.push(body.length) > 0 })
  try {
    for (let at = 0; at < input.length; at += size) splitter.push(input.subarray(at, at + size))
  } catch (error) {
    if (isFirnError(error)) return `${lengths.join()} then ${error.code}`
    throw error
  }
  return lengths.join()
}

/** Targets for the decoders of the peer stack, without sockets. */
export const p2pTargets: readonly Target[] = [
  ofBytes('p2p frames', frames, (input) => {
    const whole = split(input, input.length)
    const cut = split(input, 1 + (input.length % 7))
    return whole === cut ? undefined : `the frames depend on how the stream is split: ${whole} or ${cut}`
  }),
  ofBytes(
    'p2p handler prefix',
    () => Corpus.bytes(P2P, 'prefix', /handlerPrefix/),
    (input) => {
      HandlerPrefix.parse(input)
      HandlerPrefix.strip(input, HandlerPrefix.SIGNATURE_REQUEST)
    },
  ),
  ofBytes(
    'p2p message',
    () => Corpus.bytes(P2P, 'bytes', /message|parseMessage/),
    (input) => {
      Message.decode(input)
    },
  ),
  ofBytes(
    'p2p push gossip',
    () => gossip(),
    (input) => {
      const decoded = PushGossip.decode(input)
      const again = PushGossip.decode(PushGossip.encode(decoded))
      const isSame = Bytes.equals(Bytes.concat(...again.transactions), Bytes.concat(...decoded.transactions))
      return isSame && again.handlerId === decoded.handlerId ? undefined : 'the gossip is encoded differently'
    },
  ),
  ofBytes(
    'p2p bloom filter',
    () => Corpus.bytes(P2P, 'filter'),
    (input) => {
      BloomFilter.contains(BloomFilter.decode(input), KEY, KEY)
    },
  ),
  ofBytes(
    'p2p peer list',
    () => Corpus.bytes(P2P, 'bytes', /^message$/),
    (input) => {
      const body = Message.decode(input)
      if (body.case !== 'peerList') return
      for (const claim of body.value.claimedIpPorts) ClaimedIpPort.verify(claim, 2n ** 63n)
    },
  ),
]
