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
  /** Whether the containers belong to another network. */
  readonly isElsewhere?: boolean
}

const bytesOf = ({ bytes }: GivenContainer) => CheckedHex.decode(bytes)
const withBytes = (change: (bytes: Uint8Array) => Uint8Array) => (containers: readonly GivenContainer[]) =>
  containers.map((one) => ({ ...one, bytes: CheckedHex.encode(change(bytesOf(one))) }))
const withByte = (at: (length: number) => number) =>
  withBytes((bytes) => bytes.with(at(bytes.length), (bytes.at(at(bytes.length)) ?? 0) ^ 1))

const OTHER_ID = '11111111111111111111111111111111LpoYY'
const otherDigit = (digit: string) => (digit === '0' ? '1' : '0')

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
    containers: (all) => all.map((one) => ({ ...one, id: OTHER_ID })),
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
  'wrong checksums': {
    containers: (all) => all.map((one) => ({ ...one, bytes: one.bytes.replace(/.$/, otherDigit) })),
    named: /checksum/,
  },
  'ids of neighbours': {
    containers: (all) => all.map((one, i) => ({ ...one, id: all[i - 1]?.id ?? OTHER_ID })),
    named: /expected the block id/,
  },
  'no times': { containers: (all) => all.map((one) => ({ ...one, timestamp: null })), named: /time/ },
  'times that are none': {
    containers: (all) => all.map((one) => ({ ...one, timestamp: 'yesterday' })),
    named: /time/,
  },
  'numbers as containers': { containers: (all) => all.map((_one, i) => i), named: /expected/ },
  'every container twice': { containers: (all) => all.flatMap((one) => [one, one]), named: /expected/ },
  'a tip that is no number': { height: () => 'high', named: /height/ },
  'a tip beyond 64 bits': { height: () => 2n ** 64n, named: /height/ },
  'half of an answer': {
    answer: (response) => void response.end('{"jsonrpc":"2.0","result":{'),
    named: /JSON/,
  },
  'answers of other requests': {
    answer: (response) => void response.end('{"jsonrpc":"2.0","id":999,"result":{}}'),
    named: /./,
  },
  'errors only': {
    answer: (response) =>
      void response.writeHead(500).end('{"jsonrpc":"2.0","error":{"code":-1,"message":"no"}}'),
    named: /./,
  },
  'redirects without end': {
    answer: (response) => void response.writeHead(302, { location: '/' }).end(),
    named: /./,
  },
}
