import { readFile } from 'node:fs/promises'
import type { Logger } from '@firn/runtime'
import { replaceFile } from '../internal/replaceFile.ts'
import * as Uptimes from './Uptimes.ts'

/** Reads stored uptimes. Returns none if there is no file, or if it is unreadable, which is logged. */
export async function read(path: string | undefined, log: Logger): Promise<readonly Uptimes.Measured[]> {
  if (path === undefined) return []
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') log.warn({ path, reason: error.message }, 'cannot read the uptimes of peers')
    return undefined
  })
  const measured = text === undefined ? [] : Uptimes.parse(text)
  if (measured === undefined)
    log.warn({ path }, 'invalid stored uptimes of peers; restarting the measurement')
  return measured ?? []
}

/** Stores measured uptimes. A failure is logged. */
export async function write(path: string | undefined, uptimes: Uptimes.Uptimes, log: Logger): Promise<void> {
  if (path === undefined) return
  await replaceFile(path, Uptimes.format(uptimes.measured())).catch((error) =>
    log.warn({ err: error, path }, 'cannot save the uptimes of peers'),
  )
}
