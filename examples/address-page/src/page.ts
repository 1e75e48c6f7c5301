import { createClient } from '@firn/client'

const find = <E extends Element>(selector: string) => document.querySelector(selector) as E

// The form has the method GET, so its fields are in the URL.
const form = find<HTMLFormElement>('form')
for (const [name, value] of new URLSearchParams(location.search)) {
  const field = form.elements.namedItem(name)
  if (field instanceof HTMLInputElement) field.value = value
}
const fields = new FormData(form)
const [url = '', network = '', address = ''] = ['api', 'network', 'address'].map((name) =>
  String(fields.get(name)),
)

const status = find<HTMLParagraphElement>('#status')
show().catch((error: Error) => {
  status.textContent = `failed: ${error.message}`
})

async function show(): Promise<void> {
  status.textContent = 'reading'
  const { primaryNetwork } = createClient({ url })
  const given = { network, blockchainId: 'p-chain', addresses: [address] }
  const [{ balances }, { transactions }] = await Promise.all([
    primaryNetwork.getBalancesByAddresses(given),
    primaryNetwork.listLatestPrimaryNetworkTransactions({ ...given, pageSize: 10 }),
  ])
  if (!('unlockedStaked' in balances)) throw new Error('expected balances of the P-chain')
  const { unlockedUnstaked: available, unlockedStaked: staked } = balances
  for (const [name, amounts] of Object.entries({ available, staked })) {
    const text = amounts.map((one) => `${formatAmount(one.amount, one.denomination)} ${one.symbol}`)
    find('dl').append(element('dt', name), element('dd', text.join(', ') || '0'))
  }
  for (const one of transactions) {
    const cells = [new Date(one.blockTimestamp * 1_000).toISOString(), one.txType, one.txHash]
    find('table').append(element('tr', ...cells.map((cell) => element('td', cell))))
  }
  status.textContent = `${transactions.length} transactions`
}

/** Returns an HTML element. Text is never parsed as HTML. */
function element(name: string, ...children: (string | Node)[]): HTMLElement {
  const created = document.createElement(name)
  created.append(...children)
  return created
}

/** Formats an amount in the smallest unit as a decimal number. */
function formatAmount(amount: string, decimals: number): string {
  const digits = amount.padStart(decimals + 1, '0')
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return `${digits.slice(0, digits.length - decimals)}${fraction === '' ? '' : `.${fraction}`}`
}
