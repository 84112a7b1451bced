package payments;

import io.temporal.activity.ActivityInterface;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.text.DecimalFormat;

@ActivityInterface
public interface Payments {
  String pay(Payment payment);

  /** Writes a line for each payment. */
  class ToFile implements Payments {
    @Override
    public String pay(Payment payment) {
      var amount = new DecimalFormat("0.##").format(payment.amount);
      var path = Path.of(System.getenv().getOrDefault("PAYMENTS", "payments.txt"));
      try {
        Files.writeString(path, payment.invoice + " " + amount + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
      return "paid " + amount;
    }
  }
}
