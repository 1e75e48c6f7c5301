import { Hex } from '@firn/codec'
import { startLocalEvm } from '@firn/demo-chain'
import { createPublicClient, createTestClient, http, parseTransaction, recoverTransactionAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeSigned, hashToSign } from './evmTransaction.ts'
import { accountSigner, avax, createNode, createWallet, keySigner } from './index.ts'

/** First account of the local EVM, which is public and funded. */
const KEY = Hex.decode('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const account = privateKeyToAccount(Hex.encode(KEY))
const TO = `0x${'12'.repeat(20)}` as const
const stop = new AbortController()
let evm: Awaited<ReturnType<typeof startLocalEvm>>

beforeAll(async () => {
  const genesisTime = Math.floor(Date.now() / 1_000) - 60
  evm = await startLocalEvm({ chainId: 43_112, genesisTime, signal: stop.signal })
  await createTestClient({ mode: 'anvil', transport: http(evm.url) }).setAutomine(true)
})
afterAll(async () => {
  stop.abort()
  await evm?.close()
})

/** A node whose C-chain is the local EVM. */
const node = () => {
  const toEvm: typeof fetch = (_url, init) => fetch(evm.url, init)
  return createNode({ url: 'http://127.0.0.1:1', fetch: toEvm })
}

describe('transfer on the C-chain', () => {
  test.each([
    ['a key', keySigner([KEY])],
    ['an account that signs hashes', accountSigner(account)],
  ])('transfers AVAX with %s', async (_, signer) => {
    const client = createPublicClient({ transport: http(evm.url) })
    const before = await client.getBalance({ address: TO })
    const steps: string[] = []
    const { c } = createWallet({ node: node(), signer })
    const { txId } = await c.transfer(
      { to: TO, amount: avax('1.5') },
      { onStep: ({ name }) => steps.push(name) },
    )
    expect((await client.getBalance({ address: TO })) - before).toBe(1_500_000_000_000_000_000n)
    expect((await client.getTransaction({ hash: txId as never })).from).toBe(account.address.toLowerCase())
    expect(steps).toEqual(['issued', 'accepted'])
  })

  test('calls the contract of a token', async () => {
    const { c } = createWallet({ node: node(), keys: [KEY] })
    const token = `0x${'34'.repeat(20)}`
    const { txId } = await c.transfer({ to: TO, amount: 258n, token })
    const client = createPublicClient({ transport: http(evm.url) })
    const { input, to, value } = await client.getTransaction({ hash: txId as never })
    expect({ input, to, value }).toEqual({
      input: `0xa9059cbb${'0'.repeat(24)}${'12'.repeat(20)}${'0'.repeat(61)}102`,
      to: token,
      value: 0n,
    })
  })

  test('rejects accounts that the signer does not have, and signers that cannot sign hashes', async () => {
    const { c } = createWallet({ node: node(), keys: [KEY] })
    await expect(c.transfer({ to: TO, amount: 1n, from: TO })).rejects.toMatchObject({ code: 'WALLET_INPUT' })
    await expect(c.transfer({ to: 'nobody', amount: 1n })).rejects.toMatchObject({ code: 'WALLET_INPUT' })
    const { signHash: _, ...signer } = keySigner([KEY])
    const other = createWallet({ node: node(), signer })
    await expect(other.c.transfer({ to: TO, amount: 1n })).rejects.toThrow(/cannot sign EVM transactions/)
  })

  test.each([1.5, undefined, '5', -1n, 2n ** 256n])('rejects the amount %s', async (amount) => {
    const { c } = createWallet({ node: node(), keys: [KEY] })
    for (const token of [undefined, TO]) {
      const request = { to: TO, amount: amount as bigint, ...(token && { token }) }
      await expect(c.transfer(request)).rejects.toMatchObject({
        code: 'WALLET_INPUT',
        message: expect.stringContaining('amount: expected a bigint'),
      })
    }
    await expect(c.transfer({ to: undefined as never, amount: 1n })).rejects.toMatchObject({
      code: 'WALLET_INPUT',
    })
  })

  test('encodes transactions of all sizes as viem decodes them', async () => {
    const signer = keySigner([KEY])
    for (const [nonce, size] of [
      [0n, 0],
      [1n, 1],
      [200n, 60],
      [70_000n, 300],
    ] as const) {
      const tx = {
        ...{ chainId: 43_114n, nonce, gas: 21_000n, maxFeePerGas: 2n ** 64n, maxPriorityFeePerGas: 0n },
        ...{ to: Hex.decode(TO), value: nonce, data: new Uint8Array(size).fill(7) },
      }
      const signature = await signer.signHash?.(hashToSign(tx), Hex.decode(account.address))
      const raw = Hex.encode(encodeSigned(tx, signature ?? new Uint8Array(65))) as `0x02${string}`
      const decoded = parseTransaction(raw)
      expect(decoded).toMatchObject({ chainId: 43_114, maxFeePerGas: 2n ** 64n, gas: 21_000n, to: TO })
      expect([decoded.nonce ?? 0, decoded.value ?? 0n, decoded.data ?? '0x']).toEqual([
        Number(nonce),
        nonce,
        Hex.encode(tx.data),
      ])
      expect(await recoverTransactionAddress({ serializedTransaction: raw })).toBe(account.address)
    }
  })
})
