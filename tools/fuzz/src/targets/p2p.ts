import { BloomFilter, ClaimedIpPort, Message } from '@firn/p2p'
import * as Corpus from '../Corpus.ts'
import { ofBytes, type Target } from '../Target.ts'

const P2P = 'p2p/vectors/p2p'
const KEY = new Uint8Array(32).fill(5)

/** What the peer stack decodes, without sockets. */
export const p2pTargets: readonly Target[] = [
  ofBytes(
    'p2p message',
    () => Corpus.bytes(P2P, 'bytes', /message|parseMessage/),
    (input) => {
      Message.decode(input)
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
