import { Signing } from '@firn/txs'
import { describe, expect, it } from 'vitest'
import type { Node } from './index.ts'
import { issue } from './Operation.ts'

describe('issue', () => {
  it('names the account whose signature an export of the C-chain needs', async () => {
    const id = new Uint8Array(32).fill(2)
    const account = { address: new Uint8Array(20).fill(3), amount: 5n, assetID: id, nonce: 4n }
    const chain = { networkID: 1, blockchainID: id, destinationChain: id }
    const draft = Signing.create(
      'C',
      { type: 'ExportTx', ...chain, inputs: [account], exportedOutputs: [] },
      { utxos: [] },
    )
    await expect(issue({} as Node, draft, undefined)).rejects.toMatchObject({
      code: 'WALLET_SIGNATURES',
      details: { missing: [`0x${'03'.repeat(20)}`] },
    })
  })
})
