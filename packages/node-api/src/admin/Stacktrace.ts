import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { goOsError } from '../internal/goOsError.ts'

/**
 * Writes `stacktrace.txt` into a folder. It contains the current stack of this thread and the resources that
 * the thread waits for (sockets, timers, files), which are this runtime's counterpart of the stacks of
 * sleeping threads.
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
