import { Hex, Id } from '@firn/codec'
import { createFakeClock } from '@firn/runtime/testing'
import { describe, expect, it } from 'vitest'
import { C_CHAIN, createMessage, L1_CHAIN, NETWORK_ID } from '../testing/fakes.ts'
import { BLOCK_HASH, createFakeNode, HASH, otherLog, warpLog } from '../testing/sourceChain.ts'
import { createSourceChains } from './SourceChains.ts'

const TRANSACTION = { transactionHash: HASH }
const signal = new AbortController().signal
const LIMITS = { deadlineMs: 10_000, signal, share: { caller: 'a caller', request: 'a job' } }
const messageOf = (text: string) => Hex.encodeBare(createMessage(C_CHAIN, NETWORK_ID, text))

/** Creates source chains with a node whose state a test changes. */
function setUp() {
  const clock = createFakeClock()
  const { node, fetch } = createFakeNode()
  const endpoints = new Map([[Id.format(C_CHAIN), { url: 'http://node.test/ext/bc/C/rpc' }]])
  const chains = createSourceChains({ endpoints, clock, timeoutMs: 1_000, fetch, random: () => 0 })
  const find = (at: Parameters<typeof chains.find>[0]['at'], chainId = C_CHAIN) =>
    clock.run(chains.find({ chainId, at }, LIMITS))
  return { node, clock, find, chains }
}

describe('createSourceChains', () => {
  it('returns the Warp messages of a transaction in their order, and ignores other logs', async () => {
    const { find } = setUp()
    const place = { transactionHash: HASH, blockNumber: 16 }
    expect(await find(TRANSACTION)).toEqual([
      { ...place, unsignedMessage: messageOf('first'), logIndex: 3 },
      { ...place, unsignedMessage: messageOf('second'), logIndex: 4 },
    ])
  })

  it('returns the Warp messages of a block', async () => {
    const { find, node } = setUp()
    expect((await find({ blockNumber: 16 })).map(({ logIndex }) => logIndex)).toEqual([3, 4])
    expect(node.calls).toEqual(['eth_getBlockByNumber', 'eth_getLogs'])
  })

  it.each([TRANSACTION, { blockNumber: 16 }])('waits until %o is accepted', async (at) => {
    const { find, node, clock } = setUp()
    node.isAccepted = false
    clock.after(3_000, () => {
      node.isAccepted = true
    })
    expect(await find(at)).toHaveLength(2)
    expect(node.calls.length).toBeLessThan(12)
  })

  it('waits while the receipt belongs to a block that is not the accepted one', async () => {
    const { find, node, clock } = setUp()
    node.receiptBlockHash = `0x${'ee'.repeat(32)}`
    clock.after(3_000, () => {
      node.receiptBlockHash = BLOCK_HASH
    })
    expect(await find(TRANSACTION)).toHaveLength(2)
    expect(clock.now()).toBeGreaterThanOrEqual(3_000)
  })

  it('reports that nothing was accepted in time, also if the node refuses queries for unaccepted blocks', async () => {
    const { find, node, clock } = setUp()
    node.isAccepted = false
    await expect(find(TRANSACTION)).rejects.toMatchObject({
      code: 'AGGREGATOR_NOT_ACCEPTED',
      message: expect.stringContaining(HASH),
    })
    expect(clock.now()).toBeLessThanOrEqual(LIMITS.deadlineMs)
    node.failure = { error: { code: -32_000, message: 'cannot query unfinalized data' } }
    await expect(find({ blockNumber: 16 })).rejects.toMatchObject({ code: 'AGGREGATOR_NOT_ACCEPTED' })
  })

  it('retries failed calls until the deadline, and does not name the node', async () => {
    const { find, node, clock } = setUp()
    node.failure = { error: { code: -32_000, message: 'secret reason' } }
    clock.after(2_000, () => {
      node.failure = undefined
    })
    expect(await find(TRANSACTION)).toHaveLength(2)
    node.failure = { error: { code: -32_000, message: 'secret reason' } }
    await expect(find(TRANSACTION)).rejects.toMatchObject({
      code: 'AGGREGATOR_CHAIN_RPC',
      message: expect.not.stringMatching(/node\.test|secret/),
    })
  })

  it('rejects a chain without a node API, and a transaction that failed or sent no messages', async () => {
    const { find, node } = setUp()
    await expect(find(TRANSACTION, L1_CHAIN)).rejects.toMatchObject({
      code: 'AGGREGATOR_CHAIN_NOT_CONFIGURED',
    })
    expect(node.calls).toEqual([])
    node.status = '0x0'
    await expect(find(TRANSACTION)).rejects.toMatchObject({
      code: 'AGGREGATOR_MESSAGE',
      message: expect.stringContaining('failed on its chain'),
    })
    node.status = '0x1'
    node.logs = [otherLog]
    await expect(find(TRANSACTION)).rejects.toMatchObject({
      code: 'AGGREGATOR_MESSAGE',
      message: expect.stringContaining('contains no Warp messages'),
    })
  })

  it.each<[string, readonly object[]]>([
    ['of another chain', [warpLog('first', 1, L1_CHAIN)]],
    ['that cannot be decoded', [{ ...warpLog('first', 1), data: '0x00' }]],
    ['with malformed fields', [{ ...warpLog('first', 1), logIndex: 1 }]],
  ])('rejects a message %s', async (_name, logs) => {
    const { find, node } = setUp()
    node.logs = logs
    await expect(find(TRANSACTION)).rejects.toMatchObject({ code: 'AGGREGATOR_CHAIN_RPC' })
  })

  it('stops waiting when the signal aborts', async () => {
    const { chains, node, clock } = setUp()
    node.isAccepted = false
    const controller = new AbortController()
    const found = chains.find({ chainId: C_CHAIN, at: TRANSACTION }, { ...LIMITS, signal: controller.signal })
    clock.after(100, () => controller.abort(new RangeError('changed my mind')))
    await expect(clock.run(found)).rejects.toThrow('changed my mind')
  })
})
