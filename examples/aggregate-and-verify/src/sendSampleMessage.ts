/**
 * Has the validators of a devnet accept a message, as if a contract on the C-chain had sent it. Returns the unsigned
 * message. On a real network, the message is in the log of the transaction that called `sendWarpMessage`.
 */
export async function sendSampleMessage(nodeUrl: string): Promise<string> {
  const payload = Buffer.from('hello from an example').toString('hex')
  const response = await fetch(`${nodeUrl}/devnet/messages`, {
    method: 'POST',
    body: JSON.stringify({ chain: 'C', payload }),
  })
  if (!response.ok) throw new Error(`${nodeUrl} is not a devnet: pass an unsigned message (hex) as argument`)
  const { message } = (await response.json()) as { message: string }
  return message
}
