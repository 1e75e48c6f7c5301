import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

const FILE = new URL('../vectors/local.json.gz', import.meta.url)

/**
 * Writes the recorded network's archive into a folder, in the format that `firn index --from` reads: its
 * genesis, and every block of the P-, X- and C-chain.
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
