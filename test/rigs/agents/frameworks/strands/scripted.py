"""The model of the Strands agents here; its words are those of payer.py."""
import json
import uuid

from payer import PAYEE, PIECES, begin, count, invoices_in, is_refused
from strands.models import Model


class Scripted(Model):
    """Calls `pay` once for each invoice that the person names, then says what came of it."""

    def update_config(self, **model_config):
        pass

    def get_config(self):
        return {}

    async def structured_output(self, *args, **kwargs):
        raise NotImplementedError
        yield

    async def stream(self, messages, *args, **kwargs):
        content = messages[-1]['content']
        results = [block['toolResult'] for block in content if 'toolResult' in block]
        asked = [block['text'] for message in messages for block in message['content'] if message['role'] == 'user' and 'text' in block]
        words = asked[-1]
        for block in content:
            for kind in ('document', 'image'):
                if kind in block:
                    count(kind, block[kind].get('name'), block[kind]['format'], len(block[kind]['source']['bytes']))
        # The person's words, the call, and what came of it: nothing was asked twice so far.
        repeats = 'again' in words and len(messages) == 3 and is_refused(results)
        yield {'messageStart': {'role': 'assistant'}}
        if results and not repeats:
            texts = [part['text'] for result in results for part in result['content'] if 'text' in part]
            async for event in said(['Done: ', ' | '.join(texts)]):
                yield event
            yield {'messageStop': {'stopReason': 'end_turn'}}
            return
        await begin(words)
        for invoice in invoices_in(words):
            use = {'name': 'pay', 'toolUseId': f'call-{uuid.uuid4().hex[:8]}'}
            yield {'contentBlockStart': {'start': {'toolUse': use}}}
            yield {'contentBlockDelta': {'delta': {'toolUse': {'input': json.dumps({'invoice': invoice, 'to': PAYEE})}}}}
            yield {'contentBlockStop': {}}
        if not invoices_in(words):
            async for event in said(PIECES):
                yield event
        yield {'messageStop': {'stopReason': 'tool_use' if invoices_in(words) else 'end_turn'}}


async def said(pieces):
    yield {'contentBlockStart': {'start': {}}}
    for piece in pieces:
        yield {'contentBlockDelta': {'delta': {'text': piece}}}
    yield {'contentBlockStop': {}}
