import { Id } from '@firn/codec'
import { expect, test, vi } from 'vitest'
import { methodError } from '../Service.ts'
import type { Upstream } from '../Upstream.ts'
import { issue } from './issue.ts'

const ROUTE = {
  chain: 'X',
  path: '/ext/bc/X',
  method: 'avm.issueTx',
  undecodable: 'problem decoding transaction',
} as const
const TX = '0x0011'

function upstream(method: Upstream['method']): Upstream {
  return { call: vi.fn(), targets: () => [], health: () => [], method }
}

test('forwards a transaction unchanged and returns its id', async () => {
  const txId = Id.hash(new Uint8Array(1))
  const method = vi.fn(async () => ({ txID: Id.format(txId) }))
  const result = await issue({ upstream: upstream(method) }, ROUTE, { tx: TX, encoding: 'hexnc' })
  expect(method).toHaveBeenCalledWith(
    '/ext/bc/X',
    'avm.issueTx',
    { tx: TX, encoding: 'hexnc' },
    { isOnce: true },
  )
  expect(result).toEqual({ txID: txId })
})

test("rethrows the upstream's rejection of a transaction", async () => {
  const refusal = methodError('memo exceeds maximum length: 257 > 256')
  const context = { upstream: upstream(() => Promise.reject(refusal)) }
  await expect(issue(context, ROUTE, { tx: TX, encoding: 'hexnc' })).rejects.toBe(refusal)
})

test('rejects text that is not an encoded transaction without calling the upstream', async () => {
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

test('lets the issuer issue a transaction if no upstream is configured', async () => {
  const txId = Id.hash(new Uint8Array(1))
  const issuer = { issue: vi.fn(async () => txId), status: () => undefined }
  expect(await issue({ upstream: undefined, issuer }, ROUTE, { tx: TX, encoding: 'hexnc' })).toEqual({
    txID: txId,
  })
  expect(issuer.issue).toHaveBeenCalledWith('X', Uint8Array.of(0, 0x11))
  const method = vi.fn(async () => ({ txID: Id.format(Id.hash(Uint8Array.of(2))) }))
  await issue({ upstream: upstream(method), issuer }, ROUTE, { tx: TX, encoding: 'hexnc' })
  expect([method.mock.calls.length, issuer.issue.mock.calls.length]).toEqual([1, 1])
})

test('rejects transactions if no upstream is configured', async () => {
  await expect(issue({ upstream: undefined }, ROUTE, { tx: TX, encoding: 'hexnc' })).rejects.toThrow(
    'needs an upstream node',
  )
})

test('rejects an upstream response without a transaction id', async () => {
  for (const result of [null, undefined, {}, { txID: 7 }, { txID: 'nonsense' }]) {
    const context = { upstream: upstream(async () => result) }
    await expect(issue(context, ROUTE, { tx: TX, encoding: 'hexnc' })).rejects.toThrow()
  }
})
