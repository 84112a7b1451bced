import { appendFile } from 'node:fs/promises';

export interface Payment {
  invoice: string;
  amount: number;
}

export async function pay({ invoice, amount }: Payment): Promise<string> {
  await appendFile(process.env['PAYMENTS'] ?? 'payments.txt', `${invoice} ${amount}\n`);
  return `paid ${amount}`;
}
