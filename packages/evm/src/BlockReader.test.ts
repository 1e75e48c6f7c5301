import { Hex } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import type { CallFrame } from './Block.ts'
import * as BlockReader from './BlockReader.ts'
import { EvmError } from './EvmError.ts'
import { inventedChain } from './testing/inventedChain.ts'
import { RECORDED, recordedChain } from './testing/recordedChain.ts'

type Json = Record<string, unknown>

interface Answers {
  block: Json & { transactions: Json[] }
  receipts: (Json & { logs: (Json & { topics: string[] })[] })[]
  traces: (Json & { result: Json & { calls?: Json[] } })[]
}

/** A generated block with several transactions, logs, a creation, a failure and inner calls. */
const RICH = inventedChain({ seed: 1, transactions: [6, 10] })
  .grow(200)
  .find((parts) => {
    const { receipts, traces } = parts as unknown as Answers
    return (
      (receipts[0]?.logs.length ?? 0) > 1 &&
      (traces[0]?.result.calls?.length ?? 0) > 0 &&
      receipts[0]?.['to'] !== null &&
      receipts.some(({ status }) => status === '0x0') &&
      receipts.some(({ contractAddress, status }) => contractAddress !== null && status === '0x1')
    )
  })

/** Returns a copy of the generated block's parts that tests may modify. */
function sample(): Answers {
  return structuredClone(RICH) as unknown as Answers
}

/** Returns the error from reading the generated block after `change` has modified its parts. */
function failure(change: (answers: Answers) => unknown): EvmError | undefined {
  const answers = sample()
  change(answers)
  try {
    BlockReader.read(answers)
    return undefined
  } catch (error) {
    if (error instanceof EvmError) return error
    throw error
  }
}

function at<T>(list: readonly T[] | undefined, index: number): T {
  const one = list?.[index]
  if (one === undefined) throw new RangeError(`nothing at ${index}`)
  return one
}

const creation = ({ receipts }: Answers) =>
  at(
    receipts.filter(({ contractAddress, status }) => contractAddress !== null && status === '0x1'),
    0,
  )

describe('recorded blocks', () => {
  test.each(RECORDED)('reads every recorded block of the chain %s', (name) => {
    const blocks = recordedChain(name).map((parts) => ({
      recorded: parts.block,
      block: BlockReader.read(parts),
    }))
    for (const [i, { recorded, block }] of blocks.entries()) {
      expect(block.height).toBe(BigInt(i))
      expect(Hex.encode(block.hash)).toBe(recorded['hash'])
      if (i > 0) expect(block.parentHash).toEqual(blocks[i - 1]?.block.hash)
      expect(block.timestamp).toBe(BigInt(String(recorded['timestamp'])))
      expect(block.transactions).toHaveLength((recorded['transactions'] as unknown[]).length)
      for (const transaction of block.transactions) {
        expect(transaction.gasUsed).toBeLessThanOrEqual(transaction.gasLimit)
        expect(transaction.gasPrice).toBeGreaterThan(0n)
      }
    }
    const settled = blocks.filter(({ block }) => block.settledHeight !== undefined).length
    expect(settled).toBe(name === 'helicon' ? 114 : 0)
  })

  test('returns the same block for receipts in any order', () => {
    const parts = at(
      recordedChain('c').filter(({ receipts }) => (receipts as unknown[]).length > 2),
      0,
    )
    const reversed = { ...parts, receipts: (parts.receipts as unknown[]).toReversed() }
    expect(BlockReader.read(reversed)).toEqual(BlockReader.read(parts))
  })

  test('accepts uppercase hexadecimal digits', () => {
    const text = JSON.stringify(sample())
    const upper = text.replace(/0x[0-9a-f]+/g, (hex) => `0x${hex.slice(2).toUpperCase()}`)
    expect(BlockReader.read(JSON.parse(upper))).toEqual(BlockReader.read(JSON.parse(text)))
    const { receipts, traces } = JSON.parse(upper)
    expect(BlockReader.read({ ...sample(), receipts, traces })).toEqual(BlockReader.read(sample()))
  })
})

describe('optional members', () => {
  test('accepts receipts and blocks without status, effective gas price, transaction type or fees', () => {
    const answers = sample()
    const { block, receipts } = answers
    const expected = BlockReader.read(answers)
    for (const [i, receipt] of receipts.entries()) {
      if (receipt.status === '0x1') {
        delete receipt['status']
        receipt['root'] = block.hash
      }
      delete receipt['effectiveGasPrice']
      delete at(block.transactions, i)['type']
    }
    delete block['baseFeePerGas']
    block['timestampMilliseconds'] = null
    const read = BlockReader.read(answers)
    expect(read).toEqual({
      ...expected,
      baseFee: undefined,
      timestampMilliseconds: undefined,
      transactions: expected.transactions.map((one) => ({ ...one, type: 0 })),
    })
  })

  test('reads a block without traces', () => {
    const { traces: _, ...rest } = sample()
    expect(BlockReader.read(rest).traces).toBeUndefined()
  })
})

describe('malformed answers', () => {
  const cases: [string, string, (answers: Answers) => unknown][] = [
    ['a missing block', 'block', (a) => (a.block = null as never)],
    ['a block that is a list', 'block', (a) => (a.block = [] as never)],
    ['a block without a number', 'number', ({ block }) => delete block['number']],
    ['a JSON number instead of a quantity', 'number', ({ block }) => (block['number'] = 5)],
    ['a decimal number', 'number', ({ block }) => (block['number'] = '5')],
    ['a number without digits', 'number', ({ block }) => (block['number'] = '0x')],
    ['a height of 64 bits', 'number', ({ block }) => (block['number'] = '0x8000000000000000')],
    ['a short hash', 'hash', ({ block }) => (block['hash'] = '0x00')],
    [
      'a hash with letters that are not hex digits',
      'hash',
      ({ block }) => (block['hash'] = `0x${'zz'.repeat(32)}`),
    ],
    ['a pending block', 'hash', ({ block }) => (block['hash'] = null)],
    ['a time beyond the range of Date', 'timestamp', ({ block }) => (block['timestamp'] = '0x7dba8218001')],
    [
      'transaction hashes instead of transactions',
      'transactions[0]',
      ({ block }) => (block.transactions = block.transactions.map(({ hash }) => hash) as never),
    ],
    ['no transactions', 'transactions', ({ block }) => delete (block as Json)['transactions']],
    ['no receipts', 'receipts', (a) => (a.receipts = null as never)],
    ['a receipt that is null', 'receipts[1]', ({ receipts }) => (receipts[1] = null as never)],
    [
      'an input with an odd number of digits',
      'transactions[0].input',
      ({ block }) => (at(block.transactions, 0)['input'] = '0x1'),
    ],
    [
      'a value of 33 bytes',
      'transactions[0].value',
      ({ block }) => (at(block.transactions, 0)['value'] = `0x1${'00'.repeat(32)}`),
    ],
    ['status 2', 'receipt of transaction 0: status', ({ receipts }) => (at(receipts, 0)['status'] = '0x2')],
    [
      'no status and no root',
      'receipt of transaction 0: status',
      ({ receipts }) => delete at(receipts, 0)['status'],
    ],
    [
      'five topics',
      'receipt of transaction 0: logs[0]: topics',
      ({ receipts }) => (at(at(receipts, 0).logs, 0).topics = Array(5).fill('0x')),
    ],
    [
      'a short topic',
      'receipt of transaction 0: logs[0]: topics[0]',
      ({ receipts }) => (at(at(receipts, 0).logs, 0).topics = ['0x00']),
    ],
    [
      'extra data of more than a megabyte',
      'extraData',
      ({ block }) => (block['extraData'] = `0x${'00'.repeat((1 << 20) + 1)}`),
    ],
    ['extra data that is no text', 'extraData', ({ block }) => (block['extraData'] = 5)],
    ['a settled height above its own', 'settledHeight', ({ block }) => (block['settledHeight'] = '0xffffff')],
    [
      'a delay that the database cannot store',
      'minDelayExcess',
      ({ block }) => (block['minDelayExcess'] = '0xffffffffffffffff'),
    ],
    [
      'a log index that the database cannot store',
      'receipt of transaction 0: logs[0]: logIndex',
      ({ receipts }) => (at(at(receipts, 0).logs, 0)['logIndex'] = '0xffffffffffffffff'),
    ],
    ['traces that are null', 'traces', (a) => (a.traces = null as never)],
    [
      'a trace that failed',
      'traces[0]',
      ({ traces }) => (traces[0] = { error: 'execution timeout' } as never),
    ],
    [
      'a call of an unknown kind',
      'traces[0].result.type',
      ({ traces }) => (at(traces, 0).result['type'] = 'JUMP'),
    ],
    [
      'a call without gas',
      'traces[0].result.calls[0].gas',
      ({ traces }) => delete at(at(traces, 0).result.calls, 0)['gas'],
    ],
    ['an empty error', 'traces[0].result.error', ({ traces }) => (at(traces, 0).result['error'] = '')],
  ]
  test.each(cases)("rejects a node's answer with %s", (_, field, change) => {
    const error = failure(change)
    expect(error?.code).toBe('EVM_MALFORMED')
    expect(error?.details['field']).toBe(field)
  })

  test('rejects calls that are nested more than 1024 levels deep', () => {
    const nested = (depth: number) => {
      const answers = sample()
      const { result } = at(answers.traces, 0)
      const call = {
        type: 'CALL',
        from: result['from'],
        to: result['from'],
        value: '0x0',
        gas: '0x0',
        gasUsed: '0x0',
      }
      let inner: Json = call
      for (let i = 0; i < depth; i++) inner = { ...call, calls: [inner] }
      result.calls = [inner]
      return () => BlockReader.read(answers)
    }
    expect(nested(1023)).not.toThrow()
    expect(nested(1024)).toThrow(EvmError)
    expect(nested(3_000)).toThrow('at most 1024 nested calls')
  })
})

describe('inconsistent answers', () => {
  const other = `0x${'ab'.repeat(32)}`
  const cases: [string, string, (answers: Answers) => unknown][] = [
    ['an empty list of receipts', 'receipts', (a) => (a.receipts = [])],
    ['a missing receipt', 'receipts', ({ receipts }) => receipts.pop()],
    ['an additional receipt', 'receipts', ({ receipts }) => receipts.push(at(receipts, 0))],
    [
      'a duplicate receipt',
      'receipts[1].transactionIndex',
      ({ receipts }) => (receipts[1] = at(receipts, 0)),
    ],
    [
      'a transaction index out of range',
      'receipts[0].transactionIndex',
      ({ receipts }) => (at(receipts, 0)['transactionIndex'] = '0x63'),
    ],
    [
      'a receipt of another block',
      'receipt of transaction 0: blockHash',
      ({ receipts }) => (at(receipts, 0)['blockHash'] = other),
    ],
    [
      'a receipt of another height',
      'receipt of transaction 0: blockNumber',
      ({ receipts }) => (at(receipts, 0)['blockNumber'] = '0xffff'),
    ],
    [
      'a receipt of another transaction',
      'receipt of transaction 0: transactionHash',
      ({ receipts }) => (at(receipts, 0)['transactionHash'] = other),
    ],
    [
      'decreasing cumulative gas',
      'receipt of transaction 1: cumulativeGasUsed',
      ({ receipts }) => (at(receipts, 1)['cumulativeGasUsed'] = '0x0'),
    ],
    [
      'a receipt whose gas is missing in the cumulative gas',
      'receipt of transaction 0: cumulativeGasUsed',
      ({ receipts }) => (at(receipts, 0)['gasUsed'] = '0x1'),
    ],
    ['a header with other gas than its receipts', 'gasUsed', ({ block }) => (block['gasUsed'] = '0x1')],
    [
      'a header whose bloom has a log that is in no receipt',
      'logsBloom',
      ({ block }) => (block['logsBloom'] = `0x${'f'.repeat(512)}`),
    ],
    [
      'logs that are numbered from 5 on',
      'receipt of transaction 0: logs[0]: logIndex',
      ({ receipts }) =>
        receipts
          .flatMap(({ logs }) => logs)
          .forEach((log, i) => {
            log['logIndex'] = `0x${(i + 5).toString(16)}`
          }),
    ],
    [
      'a log of another block',
      'receipt of transaction 0: logs[0]: blockHash',
      ({ receipts }) => (at(at(receipts, 0).logs, 0)['blockHash'] = other),
    ],
    [
      'a log of another transaction',
      'receipt of transaction 0: logs[0]: transactionHash',
      ({ receipts }) => (at(at(receipts, 0).logs, 0)['transactionHash'] = other),
    ],
    [
      'a removed log',
      'receipt of transaction 0: logs[0]: removed',
      ({ receipts }) => (at(at(receipts, 0).logs, 0)['removed'] = true),
    ],
    [
      'two logs with the same index',
      'receipt of transaction 0: logs[1]: logIndex',
      ({ receipts }) => (at(at(receipts, 0).logs, 1)['logIndex'] = at(at(receipts, 0).logs, 0)['logIndex']),
    ],
    [
      'transactions in another order',
      'transactions[0].transactionIndex',
      ({ block }) => block.transactions.reverse(),
    ],
    [
      'a transaction of another block',
      'transactions[0].blockHash',
      ({ block }) => (at(block.transactions, 0)['blockHash'] = other),
    ],
    [
      'milliseconds of another second',
      'timestampMilliseconds',
      ({ block }) => (block['timestampMilliseconds'] = '0x1'),
    ],
    ['a missing trace', 'traces', ({ traces }) => traces.pop()],
    ['swapped traces', 'traces[0].txHash', ({ traces }) => traces.reverse()],
    [
      'a trace of another sender',
      'trace of transaction 0: from',
      ({ traces }) => (at(traces, 0).result['from'] = other.slice(0, 42)),
    ],
    [
      'a trace of another recipient',
      'trace of transaction 0: to',
      ({ traces }) => (at(traces, 0).result['to'] = other.slice(0, 42)),
    ],
    [
      'a receipt of another sender',
      'receipt of transaction 0: from',
      ({ receipts }) => (at(receipts, 0)['from'] = other.slice(0, 42)),
    ],
    [
      'a receipt of another recipient',
      'receipt of transaction 0: to',
      ({ receipts }) => (at(receipts, 0)['to'] = other.slice(0, 42)),
    ],
    [
      'a trace of another outcome',
      'trace of transaction 0: outcome',
      ({ traces }) => (at(traces, 0).result['error'] = 'out of gas'),
    ],
    [
      'a trace of another value',
      'trace of transaction 0: value',
      ({ traces }) => (at(traces, 0).result['value'] = '0xffffff'),
    ],
    [
      'a trace of another kind',
      'trace of transaction 0: type',
      ({ traces }) => (at(traces, 0).result['type'] = 'CREATE2'),
    ],
  ]
  test.each(cases)("rejects a node's answer with %s", (_, field, change) => {
    const error = failure(change)
    expect(error?.details['field']).toBe(field)
    expect(error?.code).toBe('EVM_INCOHERENT')
    expect(error?.details).toMatchObject({ height: expect.any(BigInt), hash: sample().block['hash'] })
    expect(error?.message).toContain(String(sample().block['hash']))
  })

  test('rejects a creation without a contract address in the receipt', () => {
    expect(failure((answers) => (creation(answers)['contractAddress'] = null))?.code).toBe('EVM_INCOHERENT')
  })

  test('rejects a block that contains the same transaction twice', () => {
    const error = failure(({ block, receipts, traces }) => {
      const [first, second] = [at(block.transactions, 0), at(block.transactions, 1)]
      Object.assign(second, { ...first, transactionIndex: '0x1' })
      Object.assign(at(receipts, 1), at(receipts, 0), { transactionIndex: '0x1', logs: [] })
      at(receipts, 1)['cumulativeGasUsed'] =
        `0x${(2n * BigInt(String(at(receipts, 0)['gasUsed']))).toString(16)}`
      traces[1] = at(traces, 0)
    })
    expect(error?.details['field']).toBe('transactions[1].hash')
  })
})

test('accepts any index for logs that the node itself adds', () => {
  const answers = sample()
  const { logs } = at(answers.receipts, 0)
  logs.push({ ...at(logs, 0), logIndex: '0xfffffffe' })
  expect(BlockReader.read(answers).transactions[0]?.logs.at(-1)?.index).toBe(2n ** 32n - 2n)
})

test('compares no sums with the header of a block that settles an earlier one', () => {
  const answers = sample()
  const sums = { gasUsed: '0x1', logsBloom: `0x${'f'.repeat(512)}` }
  Object.assign(answers.block, { ...sums, settledHeight: answers.block['number'] })
  expect(BlockReader.read(answers).gasUsed).toBe(1n)
})

test('accepts cumulative gas of 0 in all receipts, from nodes that do not count it', () => {
  const answers = sample()
  for (const receipt of answers.receipts) receipt['cumulativeGasUsed'] = '0x0'
  expect(BlockReader.read(answers).transactions).toHaveLength(answers.receipts.length)
})

test('ignores the value of delegate and static calls, whether or not the node reports it', () => {
  const answers = sample()
  const { result } = at(answers.traces, 0)
  const call = { from: result['from'], to: result['from'], gas: '0x0', gasUsed: '0x0' }
  result.calls = [
    { ...call, type: 'DELEGATECALL', value: '0x5' },
    { ...call, type: 'STATICCALL' },
    { ...call, type: 'CALLCODE', value: '0x5' },
  ]
  const values = (frame: CallFrame | undefined) => frame?.calls.map(({ value }) => value)
  expect(values(BlockReader.read(answers).traces?.[0])).toEqual([0n, 0n, 5n])
})
