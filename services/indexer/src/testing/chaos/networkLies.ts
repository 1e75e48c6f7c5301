import type { ServerResponse } from 'node:http'
import { CheckedHex } from '@firn/codec'

/** A container as the Index API returns it. */
export type GivenContainer = Readonly<Record<'id' | 'bytes' | 'timestamp' | 'index', string>>

/** A lie of a node of the Primary Network. Changes that are not set leave answers honest. For tests only. */
export interface NetworkLie {
  /** Matches what health or the log says about the lie. Undefined if an honest node could answer so. */
  readonly named?: RegExp
  /** Changes the containers of a range. */
  readonly containers?: (containers: readonly GivenContainer[]) => unknown
  /** Changes the height of a chain's last block. */
  readonly height?: (height: number) => unknown
  /** Answers in place of the node. */
  readonly answer?: (response: ServerResponse) => void
  /** Whether the containers are those of another network. */
  readonly isElsewhere?: boolean
}

const bytesOf = ({ bytes }: GivenContainer) => CheckedHex.decode(bytes)
const withBytes = (change: (bytes: Uint8Array) => Uint8Array) => (containers: readonly GivenContainer[]) =>
  containers.map((one) => ({ ...one, bytes: CheckedHex.encode(change(bytesOf(one))) }))
const withByte = (at: (length: number) => number) =>
  withBytes((bytes) => bytes.with(at(bytes.length), (bytes.at(at(bytes.length)) ?? 0) ^ 1))

/** The lies by name. For tests only. */
export const NETWORK_LIES: Readonly<Record<string, NetworkLie>> = {
  'other parents': { containers: withByte(() => 20), named: /id|parent|bytes|expected|signature/ },
  'changed contents': { containers: withByte((length) => length - 9), named: /id|expected|signature/ },
  'truncated bytes': {
    containers: withBytes((bytes) => bytes.subarray(0, bytes.length / 2)),
    named: /expected/,
  },
  'bytes after the end': {
    containers: withBytes((bytes) => Buffer.concat([bytes, Buffer.of(0)])),
    named: /./,
  },
  'no bytes': { containers: withBytes(() => new Uint8Array()), named: /expected/ },
  'not hexadecimal': {
    containers: (all) => all.map((one) => ({ ...one, bytes: '0xzz' })),
    named: /hex/,
  },
  'ids of other blocks': {
    containers: (all) => all.map((one) => ({ ...one, id: '11111111111111111111111111111111LpoYY' })),
    named: /expected the block id/,
  },
  'no ids': { containers: (all) => all.map((one) => ({ ...one, id: null })), named: /id/ },
  'blocks of another network': { isElsewhere: true, named: /expected|parent|signature/ },
  'height gaps': { containers: (all) => all.filter((_one, i) => i % 3 !== 0) },
  'reverse order': { containers: (all) => all.toReversed() },
  'empty lists': { containers: () => [] },
  'no list': { containers: () => null, named: /containers/ },
  'a tip that goes back': { height: (height) => Math.max(height - 20, 0) },
  'a tip that no block has': { height: (height) => height + 1_000_000, named: /did not return block/ },
  'a negative tip': { height: () => -1, named: /height/ },
  HTML: {
    answer: (response) => void response.end('<html>welcome</html>'),
    named: /./,
  },
  'no answers': { answer: () => undefined, named: /ms|response|time/ },
  'closed connections': { answer: (response) => void response.destroy(), named: /./ },
  'huge answers': { answer: (response) => void response.end(' '.repeat(5_000_000)), named: /./ },
}
