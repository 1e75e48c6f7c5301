import { inventedChain, inventedFacts } from '@firn/evm/testing'
import { openEvm } from '@firn/evm-store/testing'
import { Tracing } from '@firn/tracing'
import { traceProcess } from '@firn/tracing/testing'
import { expect, it } from 'vitest'
import { createEvmNode } from '../testing/EvmNode.ts'
import { createFakeContracts } from '../testing/evmContracts.ts'
import { indexOnce } from '../testing/evmStores.ts'

it('traces blocks to the requests that fetch them, and to the statements that store them', async () => {
  const collector = await traceProcess()
  const chain = inventedChain({ seed: 5 })
  chain.grow(5)
  const chainId = 4_242n
  const node = await createEvmNode({
    chainId,
    blocks: chain.blocks,
    call: createFakeContracts(inventedFacts),
  })
  const store = await openEvm({ chainId })
  await indexOnce(store, [node.url], { tracer: Tracing.tracer })
  const childrenOf = async (name: string) => {
    const trace = await collector.traceOf((span) => span.name === name, 2)
    const root = trace.find((span) => span.name === name)
    expect(root?.parentSpanId).toBeUndefined()
    expect(root?.attributes).toMatchObject({ 'evm.chain_id': '4242', 'evm.block': '0' })
    return trace.filter(({ parentSpanId }) => parentSpanId === root?.spanId)
  }
  for (const { attributes } of await childrenOf('fetch blocks'))
    expect(attributes['rpc.method']).toMatch(/eth_getBlockByNumber|eth_getBlockReceipts|debug_trace/)
  const statements = (await childrenOf('store blocks')).flatMap(
    ({ attributes }) => attributes['db.query.text'] ?? [],
  )
  expect(statements).toContainEqual(expect.stringMatching(/^copy .* from /))
  expect(statements).toContainEqual(expect.stringMatching(/^insert into |^update /))
  await store.close()
  await collector.close()
})
