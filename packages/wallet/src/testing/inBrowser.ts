import { avax, createWallet, type Step } from '../index.ts'

/** Transfers AVAX, moves some to the C-chain, and tries to spend more than there is. Runs in a browser. */
export async function main({ url, key }: { readonly url: string; readonly key: string }) {
  const wallet = createWallet({ url, keys: [key] })
  const to = await wallet.address('P')
  const steps: string[] = []
  const onStep = ({ name }: Step) => void steps.push(name)
  await wallet.p.transfer({ to, amount: avax('1.5') }, { onStep })
  const before = await wallet.balance('C')
  await wallet.p.exportTo({ chain: 'C', amount: avax('2') })
  await wallet.c.importFrom({ chain: 'P' })
  const received = (await wallet.balance('C')).available - before.available
  const { code: refusal } = await wallet.p.transfer({ to, amount: avax('900000000') }).catch((error) => error)
  return { steps, received, refusal: refusal as string }
}
