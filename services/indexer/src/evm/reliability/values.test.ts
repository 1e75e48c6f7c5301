import { Hex } from '@firn/codec'
import { database } from '@firn/sql/testing'
import { createEvmNode } from '../../testing/EvmNode.ts'
import { abiString } from '../../testing/evmContracts.ts'
import type { CallContract } from '../../testing/evmMethods.ts'
import { CHAIN_ID, openTarget, scenario, startIndexerInTest, until } from '../../testing/reliability.ts'
import { token } from '../../testing/reliableToken.ts'
import { extend, TOKEN } from '../../testing/transferChain.ts'

const EMPTY = 'stores an empty symbol as null'
const NUL = 'stores a symbol with a NUL byte and invalid UTF-8'
const INDEX = 'stores log indices close to 2^32'
const MAXIMUM = 'stores the maximum 256-bit amount'
const STRETCH = 'advances over 500 empty blocks'

const SILENT = '0x2000000000000000000000000000000000000002'
const STRANGE = '0x2000000000000000000000000000000000000003'
const CEILING = 0xffffffe2n
const MOST = 2n ** 256n - 1n

const call: CallContract = (to, data, height) => {
  const isSymbol = data.startsWith('0x95d89b41')
  if (to === SILENT && isSymbol) return { result: '0x' }
  if (to === STRANGE && isSymbol) return { result: abiString(new Uint8Array([0x41, 0, 0xff, 0x42])) }
  return token(to, data, height)
}

scenario('unusual valid values', [EMPTY, NUL, INDEX, MAXIMUM, STRETCH], async (report) => {
  const target = await openTarget()
  let blocks = extend([], 5, { name: 'values', tokens: [TOKEN, SILENT, STRANGE] })
  blocks = extend(blocks, 1, { name: 'ceiling', firstLogIndex: CEILING })
  blocks = extend(blocks, 1, { name: 'most', amount: MOST })
  blocks = extend(blocks, 500, { name: 'empty', transactions: 0 })
  blocks = extend(blocks, 2, { name: 'after' })
  const node = await createEvmNode({ chainId: CHAIN_ID, blocks, call })
  const inTest = startIndexerInTest(target, [node.url])
  const isThrough = await until(async () => (await target.height()) === blocks.length - 1)
  report.check(STRETCH, isThrough, `at ${await target.height()}`)
  const contracts = await database(target.store).selectFrom('contract').selectAll().execute()
  const of = (address: string) => contracts.find((one) => Hex.encode(one.address) === address)
  report.check(EMPTY, of(SILENT) !== undefined && of(SILENT)?.symbol === null, `${of(SILENT)?.symbol}`)
  const symbol = Buffer.from(of(STRANGE)?.symbol ?? []).toString('hex')
  report.check(NUL, symbol === '4100ff42', symbol)
  const indices = await database(target.store)
    .selectFrom('transfer')
    .select(['log_index', 'amount'])
    .where('height', 'in', [5n, 6n])
    .orderBy('height')
    .orderBy('log_index')
    .execute()
  const [first, last] = [indices[0], indices.at(-1)]
  report.check(INDEX, first?.log_index === CEILING, `${first?.log_index}`)
  report.check(MAXIMUM, last?.amount === MOST, `${last?.amount}`)
  const words = await target.difference(blocks)
  for (const check of [INDEX, MAXIMUM, STRETCH]) report.check(check, words === undefined, words)
  await inTest.stop()
  await node.close()
  await target.close()
})
