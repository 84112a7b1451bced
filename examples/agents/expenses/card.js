/** A2A 1.0 agent card, without the addresses that are known once the server listens. */
export const expensesCard = {
  name: 'Expenses',
  description: 'Takes an expense in plain words, has a person approve it, and writes the receipt.',
  version: '1.0.0',
  capabilities: { streaming: true, pushNotifications: false },
  defaultInputModes: ['text/plain', 'application/json'],
  defaultOutputModes: ['text/plain', 'application/json'],
  skills: [
    {
      id: 'claim',
      name: 'Claim an expense',
      description: 'Describe what you paid for and how much.',
      tags: ['expenses', 'approval'],
      examples: ['Lunch with the customer, 84.50 EUR'],
    },
  ],
};
