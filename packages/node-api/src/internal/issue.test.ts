import { Id } from '@firn/codec'
import { expect, test, vi } from 'vitest'
import { methodError } from '../Service.ts'
import type { Upstream } from '../Upstream.ts'
import { issue } from './issue.ts'

const ROUTE = { path: '/ext/bc/X', method: 'avm.issueTx', undecodable: 'problem decoding transaction' }
const TX = '0x0011'

function upstream(method: Upstream['method']): Upstream {
  return { call: vi.fn(), targets: () => [], health: () => [], method }
}

test('a transaction goes to the upstream as it came, and its id comes back', async () => {
  const txId = Id.hash(new Uint8Array(1))
  const method = vi.fn(async () => ({ txID: Id.format(txId) }))
  const result = await issue({ upstream: upstream(method) }, ROUTE, { tx: TX, encoding: 'hexnc' })
  expect(method).toHaveBeenCalledWith('/ext/bc/X', 'avm.issueTx', { tx: TX, encoding: 'hexnc' })
  expect(result).toEqual({ txID: txId })
})

test("the upstream's refusal is passed on", async () => {
  const refusal = methodError('memo exceeds maximum length: 257 > 256')
  const context = { upstream: upstream(() => Promise.reject(refusal)) }
  await expect(issue(context, ROUTE, { tx: TX, encoding: 'hexnc' })).rejects.toBe(refusal)
})

test('what is no transaction in text is refused without asking', async () => {
  const method = vi.fn()
  const context = { upstream: upstream(method) }
  await expect(issue(context, ROUTE, { tx: '0x00' })).rejects.toThrow(
    'problem decoding transaction: input string is smaller than the checksum size',
  )
  await expect(issue(context, ROUTE, { tx: TX, encoding: 'json' })).rejects.toThrow(
    'problem decoding transaction: unsupported encoding in method',
  )
  expect(method).not.toHaveBeenCalled()
})

test('without an upstream nothing can be issued', async () => {
  await expect(issue({ upstream: undefined }, ROUTE, { tx: TX, encoding: 'hexnc' })).rejects.toThrow(
    'this node follows no other',
  )
})

test('an upstream that names no transaction is not believed', async () => {
  for (const result of [null, undefined, {}, { txID: 7 }, { txID: 'nonsense' }]) {
    const context = { upstream: upstream(async () => result) }
    await expect(issue(context, ROUTE, { tx: TX, encoding: 'hexnc' })).rejects.toThrow()
  }
})
