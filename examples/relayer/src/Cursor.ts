import { readFile, rename, writeFile } from 'node:fs/promises'

/** Reads the number of the first block that has not been processed. Returns `start` if there is no file. */
export async function read(file: string, start: bigint): Promise<bigint> {
  const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  return content === undefined ? start : BigInt(content.trim())
}

/** Replaces the file in one step, so that a crash leaves the old number or the new one. */
export async function write(file: string, next: bigint): Promise<void> {
  await writeFile(`${file}.new`, `${next}\n`)
  await rename(`${file}.new`, file)
}
