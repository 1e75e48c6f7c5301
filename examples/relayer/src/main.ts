import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { mnemonicToAccount } from 'viem/accounts'
import { createLocalDevnet, type LocalNetwork, startLocalNetwork } from './LocalNetwork.ts'
import { mailbox as mailboxAt } from './Receiver.ts'
import { relay } from './Relayer.ts'
import { sendText } from './sendText.ts'

const INTERVAL_MS = 5_000
/** Mnemonic of the funded accounts of local EVM chains. */
const MNEMONIC = 'test test test test test test test test test test test junk'

const print = (line: string) => console.log(line)

/** Starts the local network and the relayer. Sends one text with --once, otherwise one every few seconds. */
async function main(isOnce: boolean): Promise<void> {
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort())
  print('starting five validators, two chains with an emulated Warp precompile, and a signature aggregator')
  const network = await startLocalNetwork(await createLocalDevnet(), stop.signal)
  const folder = await mkdtemp(join(tmpdir(), 'relayer-'))
  try {
    await run(network, join(folder, 'cursor'), isOnce, stop)
  } catch (error) {
    if (!stop.signal.aborted) throw error
  } finally {
    stop.abort()
    await network.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function run(
  network: LocalNetwork,
  cursorFile: string,
  isOnce: boolean,
  stop: AbortController,
): Promise<void> {
  const { source, destination, mailbox, aggregator } = network
  print(`source       ${source.rpcUrl}`)
  print(`destination  ${destination.rpcUrl}`)
  print(`aggregator   ${aggregator}/aggregateSignatures`)
  print(`mailbox      ${mailbox} on both chains`)
  if (!isOnce) print('Press Ctrl-C to stop')
  const relaying = relay({
    ...{ sourceRpc: source.rpcUrl, destinationRpc: destination.rpcUrl, aggregator, cursorFile },
    receiver: mailboxAt(mailbox),
    account: mnemonicToAccount(MNEMONIC, { addressIndex: 1 }),
    pollMs: 200,
    log: (event, fields) => {
      print(
        `relayer      ${event} ${Object.entries(fields)
          .map(([name, value]) => `${name}=${value}`)
          .join(' ')}`,
      )
      if (isOnce && event === 'delivered') stop.abort()
    },
    signal: stop.signal,
  })
  const sending = sendTexts(network, isOnce, stop.signal)
  await Promise.all([relaying, sending])
}

async function sendTexts(network: LocalNetwork, isOnce: boolean, signal: AbortSignal): Promise<void> {
  for (let number = 1; ; number++) {
    const text = `hello ${number}`
    print(`source       sent "${text}" in transaction ${await sendText(network, text)}`)
    if (isOnce) return
    await sleep(INTERVAL_MS, undefined, { signal })
  }
}

await main(process.argv.includes('--once'))
