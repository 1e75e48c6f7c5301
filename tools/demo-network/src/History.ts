import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

const FILE = new URL('../vectors/local.json.gz', import.meta.url)

/**
 * Writes the archive of the recorded network to a folder. The archive contains the genesis and all blocks of
 * the P-, X- and C-chain, in the format that `firn index --from` reads.
 *
 * @example
 * ```ts
 * import { History } from '@firn/demo-network'
 *
 * await History.unpack('archive')
 * ```
 */
export async function unpack(folder: string): Promise<void> {
  const text = (await promisify(gunzip)(await readFile(FILE))).toString()
  const { files } = JSON.parse(text) as { readonly files: Readonly<Record<string, string>> }
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}
