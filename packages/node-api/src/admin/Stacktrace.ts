import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { goOsError } from '../internal/goOsError.ts'

/**
 * Writes `stacktrace.txt` into a folder. The file contains the current stack of this thread and the resources
 * that keep the thread waiting (sockets, timers, files), which take the place of the stacks of waiting
 * goroutines.
 * @throws RpcError `RPC_REMOTE` with the file system's reason
 */
export async function write(folder: string): Promise<void> {
  const path = join(folder, 'stacktrace.txt')
  await writeFile(path, text(), { mode: 0o640 }).catch((error) => {
    throw goOsError(error, 'open', path)
  })
}

function text(): string {
  const here: { stack?: string } = {}
  Error.captureStackTrace(here, text)
  const waits = new Map<string, number>()
  for (const name of process.getActiveResourcesInfo()) waits.set(name, (waits.get(name) ?? 0) + 1)
  const lines = [...waits].sort().map(([name, count]) => `${count} ${name}`)
  return ['running:', here.stack ?? '', '', 'waiting for:', ...lines, ''].join('\n')
}
