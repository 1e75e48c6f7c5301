import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { DemoChainError } from './DemoChainError.ts'
import { call } from './internal/call.ts'
import { freePort } from './internal/freePort.ts'

/** Options of {@link startLocalEvm}. */
export interface LocalEvmOptions {
  /** Port of the EVM's API; defaults to any free port. */
  readonly port?: number
  readonly chainId: number
  /** Time of the genesis block, in Unix seconds. */
  readonly genesisTime: number
  /** Name of the EVM's rules, such as `paris`; by default the newest rules. */
  readonly hardfork?: string
  readonly signal: AbortSignal
}

/** A running local EVM. Its ten accounts are funded and can send transactions without a key. */
export interface LocalEvm {
  readonly url: string
  close(): Promise<void>
}

const HOST = '127.0.0.1'
const PATIENCE_MS = 20_000

/**
 * Starts anvil as a child process on a loopback port. It mines a block only on request.
 * @throws DemoChainError `DEMO_CHAIN_START`
 */
export async function startLocalEvm({
  port: givenPort,
  chainId,
  genesisTime,
  hardfork,
  signal,
}: LocalEvmOptions): Promise<LocalEvm> {
  const port = givenPort ?? (await freePort())
  const launcher = createRequire(import.meta.url).resolve('@foundry-rs/anvil/bin.mjs')
  const settings = ['--host', HOST, '--port', String(port), '--chain-id', String(chainId)]
  const mining = ['--no-mining', '--timestamp', String(genesisTime), '--order', 'fifo', '--silent']
  const rules = hardfork === undefined ? [] : ['--hardfork', hardfork]
  const child = spawn(process.execPath, [launcher, ...settings, ...mining, ...rules], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // The launcher starts anvil as its own child process. In a process group, both can be stopped together.
    detached: true,
  })
  const evm = { url: `http://${HOST}:${port}`, close: () => end(child) }
  try {
    await ready(evm.url, chainId, child, signal)
    return evm
  } catch (error) {
    await evm.close()
    throw error
  }
}

async function ready(url: string, chainId: number, child: ChildProcess, signal: AbortSignal): Promise<void> {
  let output = ''
  child.stderr?.on('data', (bytes: Buffer) => {
    output = (output + bytes).slice(-500)
  })
  for (let waited = 0; waited < PATIENCE_MS; waited += 50) {
    signal.throwIfAborted()
    if (child.exitCode !== null) break
    const answer = await call(url, 'eth_chainId', []).catch(() => undefined)
    // A different chain id means that another process already listens on the port.
    if (answer !== undefined && Number(answer) !== chainId) break
    if (answer !== undefined) return
    await sleep(50, undefined, { signal })
  }
  throw new DemoChainError(
    'DEMO_CHAIN_START',
    `the local EVM did not start at ${url}; check that the port is free and that anvil can run here: ${output.trim()}`,
    {
      details: { url, exitCode: child.exitCode },
    },
  )
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return
  const exited = once(child, 'exit')
  try {
    process.kill(-child.pid, 'SIGTERM')
  } catch {
    child.kill('SIGTERM')
  }
  await Promise.race([exited, sleep(2_000)])
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
}
