import type { ServerResponse } from 'node:http'
import { isJsonObject } from '@firn/codec'

/** A JSON-RPC call. For tests only. */
export interface Call {
  readonly id: unknown
  readonly method: string
  readonly params?: readonly unknown[]
}

type Json = Record<string, unknown>
type Change = (result: unknown, call: Call) => unknown

/** A lie of a node of an EVM chain. For tests only. */
export interface EvmLie {
  /** Changes the result of a call. Returns undefined to leave it unchanged. */
  readonly change?: Change
  /** Answers a whole request wrongly. `honest` is the honest answer. */
  readonly answer?: (response: ServerResponse, honest: string) => void
  /** What health or the log says about it; absent if an honest node could tell the same. */
  readonly named?: RegExp
  /** Whether blocks of local chains may have the same property. */
  readonly isLocal?: boolean
  /** Whether the node first fails, so that the indexer reads its capabilities again. */
  readonly reconnects?: boolean
}

const OTHER = `0x${'ab'.repeat(32)}`
const HUGE = 1.5 * 2 ** 20

const isObject = (value: unknown): value is Json => isJsonObject(value)
const hasTransactions = (value: unknown): value is Json & { readonly transactions: readonly Json[] } =>
  isObject(value) && Array.isArray(value['transactions']) && isObject(value['transactions'][0])

/** Changes blocks that are requested with their transactions. */
const ofBlocks =
  (change: (block: Json & { readonly transactions: readonly Json[] }) => unknown): Change =>
  (result, { method, params }) => {
    if (!method.startsWith('eth_getBlockBy') || params?.[1] !== true || !isObject(result)) return undefined
    return hasTransactions(result) ? change(result) : undefined
  }

/** Changes all blocks, with and without transactions, but not those without a parent. */
const ofHeaders =
  (members: (block: Json) => Json): Change =>
  (result, { method }) =>
    method.startsWith('eth_getBlockBy') && isObject(result) && result['number'] !== '0x0'
      ? { ...result, ...members(result) }
      : undefined

const withMembers = (members: Json): Change => ofBlocks((block) => ({ ...block, ...members }))

type Receipt = Json & { readonly logs: readonly Json[] }

const ofReceipts =
  (change: (receipts: readonly Receipt[]) => unknown): Change =>
  (result, { method }) =>
    method === 'eth_getBlockReceipts' && Array.isArray(result) && result.length > 0
      ? change(result as Receipt[])
      : undefined

/** Changes the logs of a block's receipts, if there are at least `least`. */
const ofLogs = (least: number, change: (log: Json, i: number) => Json): Change =>
  ofReceipts((receipts) => {
    if (receipts.reduce((sum, { logs }) => sum + logs.length, 0) < least) return undefined
    let i = 0
    return receipts.map((one) => ({ ...one, logs: one.logs.map((log) => change(log, i++)) }))
  })

const ofTraces =
  (change: (traces: readonly (Json & { readonly result: Json })[]) => unknown): Change =>
  (result, { method }) =>
    method.startsWith('debug_trace') && Array.isArray(result) && result.length > 0
      ? change(result)
      : undefined

/** Changes the newest block. */
const ofLatest =
  (change: (header: Json) => unknown): Change =>
  (result, { params }) =>
    params?.[0] === 'latest' && isObject(result) ? change(result) : undefined

const quantity = (value: bigint | number): string => `0x${value.toString(16)}`
const without = (object: Json, name: string): Json =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name))

function nested(frame: Json, depth: number): Json {
  let inner: Json = { type: 'STATICCALL', from: frame['from'], to: frame['from'], gas: '0x0', gasUsed: '0x0' }
  for (let i = 0; i < depth; i++) inner = { ...inner, calls: [inner] }
  return { ...frame, calls: [inner] }
}

const json = (response: ServerResponse, text: string, status = 200) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(text)

let flips = 0

/** The lies of a node of an EVM chain, by name. For tests only. */
export const EVM_LIES: Readonly<Record<string, EvmLie>> = {
  'a time before the parent': {
    change: ofHeaders(() => ({ timestamp: '0x1', timestampMilliseconds: '0x3e8' })),
    named: /expected a timestamp of at least|had a wrong time/,
  },
  'a time in the far future': {
    change: ofHeaders(() => ({ timestamp: '0x3afff4417f', timestampMilliseconds: '0xe677d21fd819' })),
    named: /ahead of this machine's clock|had a wrong time|expected a timestamp of at least/,
    isLocal: true,
  },
  'a time of another second': {
    change: withMembers({ timestamp: '0x5' }),
    named: /timestampMilliseconds: expected/,
  },
  'another parent': { change: ofHeaders(() => ({ parentHash: OTHER })), named: /expected the parent/ },
  'another number': {
    change: ofBlocks((block) => ({ ...block, number: quantity(Number(block['number']) + 1) })),
    named: /blockNumber: expected/,
  },
  'other gas than the receipts': { change: withMembers({ gasUsed: '0x7' }), named: /gasUsed: expected/ },
  'a bloom of other logs': {
    change: withMembers({ logsBloom: `0x${'f'.repeat(512)}` }),
    named: /logsBloom: expected/,
  },
  'huge extra data': {
    change: withMembers({ extraData: `0x${'00'.repeat(HUGE)}` }),
    named: /extraData: expected/,
  },
  'a header without a hash': {
    change: ofBlocks((block) => without(block, 'hash')),
    named: /hash: expected|has transactions of block/,
  },
  'a header without a time': {
    change: ofBlocks((block) => without(block, 'timestamp')),
    named: /timestamp: expected/,
  },
  'no block': { change: ofBlocks(() => null) },
  'a transaction twice': {
    change: ofBlocks((block) => ({ ...block, transactions: [...block.transactions, block.transactions[0]] })),
    named: /receipts: expected an array of length/,
  },
  'a missing transaction': {
    change: ofBlocks((block) => ({ ...block, transactions: block.transactions.slice(1) })),
    named: /receipts: expected an array|transactionIndex: expected/,
  },
  'invalid hexadecimal digits': { change: withMembers({ gasLimit: '0xzz' }), named: /gasLimit: expected/ },
  'a negative number': { change: withMembers({ gasLimit: '-0x1' }), named: /gasLimit: expected/ },
  'a number of 10^30': {
    change: withMembers({ gasLimit: quantity(10n ** 30n) }),
    named: /gasLimit: expected/,
  },
  'another block': {
    change: (result, { method, params }) =>
      method === 'eth_getBlockByNumber' && params?.[1] === true && hasTransactions(result)
        ? { ...result, hash: OTHER }
        : undefined,
    named: /blockHash: expected|has transactions of block/,
  },
  'two blocks at a height': {
    change: (result, { method }) =>
      method.startsWith('eth_getBlockBy') && isObject(result) && flips++ % 2 === 0
        ? { ...result, hash: String(result['hash']).replace(/....$/, 'dead') }
        : undefined,
  },
  'receipts of another block': {
    change: ofReceipts((receipts) => receipts.map((one) => ({ ...one, blockHash: OTHER }))),
    named: /blockHash: expected/,
  },
  'a missing receipt': { change: ofReceipts((all) => all.slice(1)), named: /receipts: expected an array/ },
  'a receipt twice': { change: ofReceipts((all) => [...all, all[0]]), named: /receipts: expected an array/ },
  'other gas in a receipt': {
    change: ofReceipts((all) => all.map((one) => ({ ...one, gasUsed: '0x5' }))),
    named: /cumulativeGasUsed: expected/,
  },
  'a receipt without a status': {
    change: ofReceipts((all) => all.map((one) => without(one, 'status'))),
    named: /status: expected/,
  },
  'renumbered logs': {
    change: ofLogs(1, (log, i) => ({ ...log, logIndex: quantity(i + 5) })),
    named: /logIndex: expected/,
  },
  'logs with one number': {
    change: ofLogs(2, (log) => ({ ...log, logIndex: '0x0' })),
    named: /logIndex: expected/,
  },
  'removed logs': { change: ofLogs(1, (log) => ({ ...log, removed: true })), named: /removed: expected/ },
  'traces of another block': {
    change: ofTraces((all) => all.map((one) => ({ ...one, txHash: OTHER }))),
    named: /txHash: expected/,
  },
  'traces that are too deep': {
    change: ofTraces((all) => all.map((one) => ({ ...one, result: nested(one.result, 1_100) }))),
    named: /nested calls/,
  },
  'failed traces': {
    change: ofTraces((all) => all.map(() => ({ error: 'execution timeout' }))),
    named: /traces\[0\]: expected a trace/,
  },
  'the chain id of another chain': {
    change: (_result, { method }) => (method === 'eth_chainId' ? '0x99' : undefined),
    named: /serves chain 153/,
    reconnects: true,
  },
  'no chain id': {
    change: (_result, { method }) => (method === 'eth_chainId' ? null : undefined),
    named: /quantity for the chain id/,
    reconnects: true,
  },
  'a head without a height': {
    change: ofLatest((header) => without(header, 'number')),
    named: /has no height or hash|newest height/,
  },
  'a head far above its blocks': {
    change: ofLatest((header) => ({ ...header, number: '0xfffffffffff' })),
    named: /although it reports block 17592186044415/,
  },
  'a lower head': {
    change: ofLatest((header) => ({
      ...header,
      number: quantity(Math.max(Number(header['number']) - 20, 1)),
    })),
  },
  'a head that goes back and forth': {
    change: ofLatest((header) =>
      flips++ % 2 === 0
        ? { ...header, number: quantity(Math.max(Number(header['number']) - 6, 1)) }
        : undefined,
    ),
  },
  'no answer': { answer: () => undefined, named: /time(d )?out|within|no (answer|response)/i },
  'an answer that drips': {
    answer(response, honest) {
      response.writeHead(200, { 'content-type': 'application/json' })
      const timer = setInterval((): void => void response.write(honest.slice(0, 1).replace(/./, ' ')), 50)
      response.on('close', () => clearInterval(timer))
    },
    named: /time(d )?out|within|no (answer|response)/i,
  },
  'an endless answer': {
    answer(response) {
      response.writeHead(200, { 'content-type': 'application/json' })
      const chunk = `[${'"0x00",'.repeat(200_000)}`
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', more)
      more()
    },
    named: /larger|exceeds|too large|bytes|no response/i,
  },
  'a bad gateway': {
    answer: (response) => void response.writeHead(502).end('<html>bad gateway</html>'),
    named: /502/,
  },
  'a page instead of JSON': {
    answer: (response) => void response.end('<html>hi</html>'),
    named: /JSON|malformed|body/i,
  },
  'half of the JSON': {
    answer: (response, honest) => json(response, honest.slice(0, honest.length / 2)),
    named: /JSON|malformed|body/i,
  },
  'a connection that breaks': {
    answer(response, honest) {
      response
        .writeHead(200, { 'content-length': String(honest.length) })
        .write(honest.slice(0, honest.length / 2))
      setTimeout(() => response.destroy(), 1)
    },
    named: /connection|terminated|closed|aborted|cannot reach|ECONN|body/i,
  },
  'a redirect': {
    answer: (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    named: /302|redirect|bad port/i,
  },
  'answers of other calls': {
    answer: (response, honest) => json(response, honest.replaceAll(/"id":\d+/g, '"id":99999')),
    named: /id|malformed|answer|response/i,
  },
  'no answers': { answer: (response) => json(response, '[]'), named: /expected|malformed|response|answer/i },
}
