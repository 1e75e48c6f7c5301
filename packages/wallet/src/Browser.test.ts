import { startBrowser } from '@firn/browser'
import { createDevnet, FundedWallet } from '@firn/devnet'
import { PrivateKey } from '@firn/keys'
import { expect, test } from 'vitest'

test('moves AVAX in a browser, from a bundle without Node modules', async () => {
  const settings = { buildBlocks: true, buildDelayMs: 1, proposedLagMs: 0 }
  const devnet = await createDevnet({ validators: 1, networkId: 54_321, ...settings })
  const browser = await startBrowser()
  try {
    await devnet.warm()
    const module = new URL('testing/inBrowser.ts', import.meta.url)
    const argument = { url: devnet.rpcUrl, key: PrivateKey.format(FundedWallet.KEY) }
    const { steps, received, refusal } = await browser.run<typeof import('./testing/inBrowser.ts')>(
      module,
      argument,
    )
    expect(steps).toEqual(['built', 'signed', 'issued', 'accepted'])
    expect(received).toBeGreaterThan(1_990_000_000n)
    expect(refusal).toBe('TXS_FUNDS')
  } finally {
    await browser.close()
    await devnet.close()
  }
})
