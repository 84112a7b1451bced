package standfast;

import io.nexusrpc.Operation;
import io.nexusrpc.Service;
import java.util.List;
import java.util.Map;

/** The Nexus service of Standfast's worker, for workflows on Temporal's Java SDK: names and types, and no code. Copy this file. */
@Service(name = "standfast")
public interface StandfastService {
  @Operation(name = "ask")
  AskReply ask(AskInput input);

  @Operation(name = "approve")
  AskReply approve(ApproveInput input);

  /** What every question takes. */
  class Asked {
    /** Names the question within the asking workflow: the same again waits for the same answer. */
    public String id;
    public String title;
    /** One that the configuration lets this caller name. */
    public String policy;
    /** How risky it is, in one line. */
    public String risk;
    /** Why it is asked, at length. */
    public String reasoning;
    public List<Link> links;
    /** A deadline of its own ("30m"). */
    public String expireAfter;
  }

  /** A web address that people see with the question. */
  class Link {
    public String url;
    public String title;
  }

  class AskInput extends Asked {
    /** What to decide, and what follows from each answer. */
    public String message;
    /** JSON Schema of the answer, type object; missing: a free text (values "text"). */
    public Map<String, Object> schema;
    /** What is proposed, by field. */
    public Map<String, Object> defaults;
  }

  class ApproveInput extends Asked {
    /** Name of the tool, or the step, to approve. */
    public String tool;
    /** A map, or an object that is written as one. */
    public Object args;
    /** People may change the arguments: call with those of the answer. */
    public boolean editable;
    /** Why it is called. */
    public String why;

    public ApproveInput(String tool, Object args) {
      this.tool = tool;
      this.args = args;
    }
  }

  /** What became of a question; null where there is nothing to say. */
  class AskReply {
    public String id;
    /** Which question under its id this is about, from 1. */
    public int version;
    /** answered, declined, expired, withdrawn or cancelled. */
    public String status;
    public String holdId;
    public String link;
    public String expiresAt;
    public Map<String, Object> values;
    /** yes, no or answered. */
    public String verdict;
    /** True for a plain yes alone. */
    public boolean approved;
    public Map<String, Object> args;
    public String by;
    public String reason;
    public boolean assumed;
    /** Signed proof (JWS), where the policy gives one. */
    public String receipt;
  }
}
