import { createTextTokens, type TextTokens } from '@firn/demo-chain/texts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LOCAL_CHAIN_ID, type LocalChain, startLocalChain } from './testing/localChain.ts'
import {
  accessibilityProblems,
  type Served,
  serve,
  visit,
  type WatchedPage,
  watch,
} from './testing/opened.ts'

const EVM = `#/evm/${LOCAL_CHAIN_ID}`
/** A PNG of 17 by 11 pixels. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAABEAAAALCAIAAAAWQvFQAAAAU0lEQVR4nGNkYGDgZ+AnCbEwiPMzMHxkYJAjnoTokWNguMzAwM/AQAybAW4P8SQD3B6IYdNhDLjZmOIMaP4hhs0wQP5BRvLYBLH4Rw6HH+Qo9Q8ADH077k9cbeUAAAAASUVORK5CYII=',
  'base64',
)
const HTML = '<html><script>alert(document.domain)</script></html>'
/** A GIF of one pixel with HTML as its comment, and HTML after its end. */
const POLYGLOT = Buffer.concat([
  Buffer.from('47494638396101000100800000ff0000ffffff21fe', 'hex'),
  Uint8Array.of(HTML.length),
  Buffer.from(HTML),
  Buffer.from('002c00000000010001000002024401003b', 'hex'),
  Buffer.from(HTML),
])
const BOMB = Buffer.from(PNG)
BOMB.writeUInt32BE(65_535, 16)
BOMB.writeUInt32BE(65_535, 20)
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script><rect width="9" height="9"/></svg>'

const uriOf = (type: string, content: string | Uint8Array) =>
  `data:${type};base64,${Buffer.from(content).toString('base64')}`
const STORED = {
  'a PNG': uriOf('image/png', PNG),
  'a PNG that claims to be HTML': uriOf('text/html', PNG),
  'a GIF that is HTML too': uriOf('text/html', POLYGLOT),
}
const REFUSED = {
  'an SVG': uriOf('image/svg+xml', SVG),
  'an SVG that claims to be a PNG': uriOf('image/png', SVG),
  HTML: uriOf('text/html', HTML),
  'a PNG of 65,535 by 65,535 pixels': uriOf('image/png', BOMB),
  'a PNG without its end': uriOf('image/png', PNG.subarray(0, -8)),
  'a picture of another server': 'https://evil.example/pixel.png',
}
const metadataOf = ([name, image]: readonly [string, string]) =>
  `data:application/json;base64,${Buffer.from(JSON.stringify({ name, image })).toString('base64')}`

let served: Served
let local: LocalChain
let tokens: readonly TextTokens[]
let watched: WatchedPage
beforeAll(async () => {
  local = await startLocalChain(async (url) => {
    const texts = Object.entries({ ...STORED, ...REFUSED }).map((one) => ({ text: metadataOf(one) }))
    tokens = await createTextTokens(url, texts)
  })
  served = await serve({ chains: [local.served] })
  watched = await watch(served)
})
afterAll(async () => {
  await served?.close()
  await local?.close()
})

/** Waits until all pictures of the page are loaded, and returns what is painted. */
async function pictures({ page }: WatchedPage) {
  await page.waitForFunction(() =>
    [...document.querySelectorAll('main img')].every((one) => (one as HTMLImageElement).complete),
  )
  return page.evaluate(() =>
    [...document.querySelectorAll('main img')].map((one) => {
      const image = one as HTMLImageElement
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width: image.naturalWidth, height: image.naturalHeight })
      const context = canvas.getContext('2d') as CanvasRenderingContext2D
      context.drawImage(image, 0, 0)
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
      return {
        alt: image.alt,
        size: [image.naturalWidth, image.naturalHeight],
        isOpaque: data.length > 0 && data.every((value, i) => i % 4 !== 3 || value === 255),
        colours: new Set(new Uint32Array(data.buffer)).size,
        isShown: image.getBoundingClientRect().width > 0,
      }
    }),
  )
}

const place = (name: string) => {
  const index = [...Object.keys(STORED), ...Object.keys(REFUSED)].indexOf(name)
  return `${EVM}/nft/${tokens[index]?.collection}/2`
}

describe('pictures of tokens', () => {
  test.each(Object.keys(STORED))('paints the stored copy of %s', async (name) => {
    await visit(watched, served.service.url, place(name))
    const isGif = name.includes('GIF')
    expect(await pictures(watched)).toEqual([
      {
        alt: `Picture of ${name}`,
        size: isGif ? [1, 1] : [17, 11],
        isOpaque: true,
        colours: isGif ? 1 : expect.any(Number),
        isShown: true,
      },
    ])
    expect(await accessibilityProblems(watched.page)).toEqual([])
    expect(watched.problems).toEqual([])
  })

  test.each(Object.keys(REFUSED))('shows no picture for %s, and requests nothing', async (name) => {
    await visit(watched, served.service.url, place(name))
    await watched.page.getByRole('heading', { name }).waitFor()
    expect(await pictures(watched)).toEqual([])
    expect(await watched.page.locator('.picture').count()).toBe(1)
    expect(watched.problems).toEqual([])
  })

  test('paints the pictures of all tokens of a collection, in both themes', async () => {
    const { collectible } = local.demo.contracts
    for (const colorScheme of ['light', 'dark'] as const) {
      const themed = await watch(served, { colorScheme, viewport: { width: 1280, height: 2_000 } })
      await visit(themed, served.service.url, `${EVM}/token/${collectible}?view=tokens`)
      const found = await pictures(themed)
      expect(found.map(({ alt }) => alt)).toEqual(
        expect.arrayContaining(['Picture of Demo 1', 'Picture of Demo 23']),
      )
      expect(found.length).toBe(24)
      for (const one of found)
        expect(one).toMatchObject({ size: [8, 8], isOpaque: true, colours: 2, isShown: true })
      expect(await accessibilityProblems(themed.page)).toEqual([])
      expect(themed.problems).toEqual([])
      await themed.close()
    }
  })
})

test('runs no script of a copy that is opened as a page, in a frame, or as a script', async () => {
  const hash = async (name: string) => {
    const url = place(name).replace(EVM, `${served.service.url}/v1/chains/${LOCAL_CHAIN_ID}`)
    const token = await fetch(url.replace('/nft/', '/nfts/collections/').replace(/\/2$/, '/tokens/2'))
    return ((await token.json()) as { metadata: { imageHash: string } }).metadata.imageHash
  }
  const address = `${served.service.url}/v1/chains/${LOCAL_CHAIN_ID}/nfts/images/${await hash('a GIF that is HTML too')}`
  const { page, problems, close } = await watch(served)
  // A page of another policy, as one that a stranger makes.
  await page.route(`${served.service.url}/stranger`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<iframe src="${address}"></iframe><script src="${address}" onerror="document.title='refused'"></script>
        <img src="${address}" onload="document.body.dataset.painted='yes'">`,
    }),
  )
  await page.goto(`${served.service.url}/stranger`)
  await page.waitForFunction(() => document.title === 'refused' && document.body.dataset['painted'] === 'yes')
  const downloading = page.waitForEvent('download')
  await page.goto(address).catch(() => undefined)
  expect((await downloading).suggestedFilename()).toMatch(/^[0-9a-f]{64}\.gif$/)
  expect(problems.filter((problem) => /dialog/.test(problem))).toEqual([])
  await close()
})
