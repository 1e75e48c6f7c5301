import { createDevnet, type Devnet, FundedWallet } from '@firn/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { avax, createWallet, type Wallet } from './index.ts'
import { mnemonicSigner } from './mnemonic.ts'

/** The mnemonic of Hardhat's accounts. */
const WORDS = `${'test '.repeat(11)}junk`

let devnet: Devnet
let funded: Wallet

beforeAll(async () => {
  const settings = { buildBlocks: true, buildDelayMs: 1, proposedLagMs: 0 }
  devnet = await createDevnet({ validators: 1, networkId: 54_321, ...settings })
  await devnet.warm()
  funded = createWallet({ url: devnet.rpcUrl, keys: [FundedWallet.KEY] })
})

afterAll(() => devnet?.close())

const walletOf = (addresses?: number): Wallet =>
  createWallet({
    url: devnet.rpcUrl,
    signer: mnemonicSigner(WORDS, addresses === undefined ? {} : { addresses }),
  })

describe('mnemonicSigner', () => {
  it('has the first addresses of the mnemonic, and its first account on the C-chain', async () => {
    const { P, C } = await walletOf(2).addresses()
    expect(P.slice(0, 2)).toEqual([
      expect.stringMatching(/^P-custom1yljhuvjkmtu0y5ls6kf4exsdd8gea9mp/),
      expect.any(String),
    ])
    expect(C).toEqual(['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'])
  })

  it('spends what each of its addresses has received', async () => {
    const wallet = walletOf(3)
    const { P } = await wallet.addresses()
    for (const to of P.slice(0, 3)) await funded.p.transfer({ to, amount: avax('1') })
    await wallet.p.transfer({ to: await funded.address('P'), amount: avax('2.9') })
    expect((await wallet.balance('P')).available).toBeLessThan(avax('0.1'))
  })

  it('moves AVAX to its account on the C-chain and back', async () => {
    const wallet = walletOf()
    await funded.p.transfer({ to: await wallet.address('P'), amount: avax('3') })
    await wallet.p.exportTo({ chain: 'C', amount: avax('2') })
    await wallet.c.importFrom({ chain: 'P' })
    expect((await wallet.balance('C')).available).toBeGreaterThan(avax('1.9'))
    await wallet.c.exportTo({ chain: 'P', amount: avax('1') })
    await wallet.p.importFrom({ chain: 'C' })
    expect((await wallet.balance('C')).available).toBeLessThan(avax('1'))
  })
})
