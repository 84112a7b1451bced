package payments;

import io.temporal.activity.ActivityOptions;
import io.temporal.workflow.NexusOperationOptions;
import io.temporal.workflow.NexusServiceOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import standfast.StandfastService;
import standfast.StandfastService.ApproveInput;

@WorkflowInterface
public interface PayInvoice {
  @WorkflowMethod(name = "payInvoice")
  String run(Payment args);

  /** Pays only what a person approved. It holds no slot and polls nothing while they think. */
  class Approved implements PayInvoice {
    private static final NexusOperationOptions week =
        NexusOperationOptions.newBuilder().setScheduleToCloseTimeout(Duration.ofDays(7)).build();
    private static final ActivityOptions minute =
        ActivityOptions.newBuilder().setStartToCloseTimeout(Duration.ofMinutes(1)).build();

    private final StandfastService people = Workflow.newNexusServiceStub(StandfastService.class,
        NexusServiceOptions.newBuilder().setEndpoint("standfast").setOperationOptions(week).build());
    private final Payments payments = Workflow.newActivityStub(Payments.class, minute);

    @Override
    public String run(Payment args) {
      var question = new ApproveInput("pay", args);
      question.policy = "finance";
      question.why = "Invoice " + args.invoice + " is due.";
      var answer = people.approve(question);
      return answer.approved ? payments.pay(args) : "not paid: " + (answer.reason != null ? answer.reason : answer.status);
    }
  }
}
