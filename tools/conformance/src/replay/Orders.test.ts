import { expect, it } from 'vitest'
import { callOf, type Exchange } from './Exchange.ts'
import * as Orders from './Orders.ts'

const txId = (number: number) => String(number).padStart(64, '0')
const utxo = (number: number) => `0x0000${txId(number)}00000002ff`
const key = (number: number) => `${txId(number)}:2`
/** Assigns UTXOs of transactions below 10 to block 5, and other UTXOs to block 4. */
const madeBy = (id: string) => (Number(id) < 10 ? 'block 5' : 'block 4')

function listed(
  numbers: readonly number[],
  params: object = { addresses: ['a'] },
  method = 'avm.getUTXOs',
): Exchange {
  const request = { httpMethod: 'POST', path: '', headers: {}, body: JSON.stringify({ method, params }) }
  const body = JSON.stringify({ result: { utxos: numbers.map(utxo) } })
  return { name: '', port: 0, ...callOf(request), request, answer: { status: 200, headers: [], body } }
}

it('merges the UTXO lists of several addresses into one order per block', () => {
  const orders = Orders.of([listed([1, 3, 12, 11]), listed([3, 2]), listed([4, 1])], madeBy)
  expect(orders.get('block 5')).toEqual([4, 1, 3, 2].map(key))
  expect(orders.get('block 4')).toEqual([12, 11].map(key))
})

it('omits blocks whose lists contradict each other and blocks with a single UTXO', () => {
  expect([...Orders.of([listed([1, 2]), listed([2, 3]), listed([3, 1]), listed([11])], madeBy)]).toEqual([])
})

it.each([
  ['of several addresses', { addresses: ['a', 'b'] }],
  ['of another chain', { addresses: ['a'], sourceChain: 'P' }],
  ['without an address', {}],
  ['of another method', { addresses: ['a'] }, 'avax.getUTXOs'],
])('ignores UTXO lists %s', (_name, params, method = 'avm.getUTXOs') => {
  expect(Orders.of([listed([1, 2], params, method)], madeBy).size).toBe(0)
})

it('ignores a response without a UTXO list', () => {
  const refused = listed([1, 2])
  const answer = { ...refused.answer, body: '{"error":{}}' }
  expect(Orders.of([{ ...refused, answer }], madeBy).size).toBe(0)
})
