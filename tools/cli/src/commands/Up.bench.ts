// Measures the memory of `firn up` on the recorded network, in a separate process: when it is ready, after
// half a minute, and at its peak.
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { History } from '@firn/demo-network'
import { CliError } from '../CliError.ts'

const MAIN = resolve(import.meta.dirname, '../main.ts')
const PORTS = ['--http-port', '--data-port', '--aggregator-port', '--gateway-port'].flatMap((flag) => [
  flag,
  '0',
])
const IDLE_MS = 30_000

export async function report(print: (text: string) => void): Promise<void> {
  if (process.platform !== 'linux') return print('The memory of firn up can be measured only on Linux')
  const folder = await mkdtemp(join(tmpdir(), 'firn-bench-'))
  const archive = join(folder, 'archive')
  try {
    await History.unpack(archive)
    const lines: string[] = []
    for (const title of ['a new data folder', 'the same data folder']) {
      const args = ['up', '--from', archive, '--data-dir', join(folder, 'data'), ...PORTS]
      lines.push(`  ${title.padEnd(18)} ${await measure(args)}`)
    }
    print(`Memory of firn up on the recorded network\n${lines.join('\n')}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ['--conditions=source', MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((settle) => child.once('close', () => settle()))
  try {
    await new Promise<void>((settle, reject) => {
      createInterface({ input: child.stdout }).on(
        'line',
        (line) => line.startsWith('Press Ctrl-C') && settle(),
      )
      child.once('close', () => reject(new CliError('CLI_INTERRUPTED', 'firn up ended before it was ready')))
    })
    const ready = await memoryOf(child.pid)
    await setTimeout(IDLE_MS)
    const idle = await memoryOf(child.pid)
    return `${ready.resident} MB when ready, ${idle.resident} MB idle, ${idle.peak} MB peak`
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

/** Returns the current and the peak resident memory of a process in megabytes. */
async function memoryOf(pid: number | undefined): Promise<{ resident: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string) =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024)
  return { resident: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}
